"""Training, saving, loading and parsing, from Python and from the command line."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from command import COMMAND, assert_refused, run, write

import commonground as cg
from commonground.corpus import Dependencies
from commonground.corpus.shape import cyclic
from commonground.errors import InputError, UsageError
from commonground.parsers import learning, tagger, transition
from commonground.parsers.choice import choose
from commonground.parsers.constituency import spans
from commonground.parsers.graph import stacked
from commonground.parsers.model_file import model_bytes

QUICK = {"iterations": 2}


@pytest.fixture(scope="module")
def treebank():
    return cg.read("example:ud")


@pytest.fixture(scope="module")
def tagging(treebank):
    """A parser that tags its input."""
    return cg.train(treebank, settings=QUICK)


@pytest.fixture(scope="module")
def model(treebank, tagging, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "ud.model"
    tagging.save(path)
    return path


def without(treebank, *columns):
    empty = {name: getattr(treebank, name).map(lambda _: "_") for name in columns}
    return treebank.replace("words", **empty)


# ── from Python ──────────────────────────────────────────────────────────────────────────────────


def test_a_saved_parser_parses_as_the_one_that_was_trained(treebank, tagging, model):
    loaded = cg.load_parser(model)
    assert (loaded.name, loaded.tags, loaded.encoding) == ("arc-eager", "predicted", "head")
    assert loaded.parse(treebank) == tagging.parse(treebank)
    assert [step.iteration for step in loaded.log] == [1, 2]


@pytest.mark.long
def test_a_model_trained_twice_is_the_same_bytes(treebank, tagging):
    again = cg.train(treebank, settings=QUICK)
    assert b"".join(model_bytes(again.store())) == b"".join(model_bytes(tagging.store()))


def test_a_parser_trained_on_predicted_tags_looks_at_no_tags_of_its_input(treebank, tagging):
    bare = without(treebank, "upos", "xpos", "feats", "lemma", "deprel")
    assert tagging.parse(bare) == tagging.parse(treebank)


def test_a_parser_trained_on_gold_tags_needs_tags(treebank):
    parser = cg.train(treebank, gold_tags=True, settings=QUICK)
    assert parser.tags == "gold"
    with pytest.raises(InputError, match="no word has a tag, and this model needs tags"):
        parser.parse(without(treebank, "upos", "xpos"))
    with pytest.raises(UsageError, match="has no tagger"):
        parser.tag(treebank)


def test_a_treebank_without_tags_makes_a_parser_without_tags(treebank):
    bare = without(treebank, "upos", "xpos", "feats", "lemma")
    parser = cg.train(bare, settings={"iterations": 5})
    assert parser.tags == "none"
    assert (parser.parse(bare).head == treebank.head).mean() > 0.5


def test_words_keep_what_is_not_predicted_and_lose_the_enhanced_graph(treebank, tagging):
    parsed = tagging.parse(treebank)
    assert parsed.form == treebank.form
    assert parsed.misc == treebank.misc
    assert parsed.comments == treebank.comments
    assert set(parsed.deps) == {"_"}


def test_the_dev_score_is_watched_and_the_best_model_kept(treebank):
    steps = []
    parser = cg.train(treebank, gold_tags=True, held_out=0.3, settings=QUICK, watch=steps.append)
    assert [step.iteration for step in steps] == [1, 2]
    kept = treebank[round(0.7 * len(treebank)) :]
    best = max(step.score for step in steps)
    assert cg.evaluate(kept, parser.parse(kept), metrics=["las"])["las"].value == pytest.approx(
        best
    )


def test_each_fold_is_parsed(treebank):
    parsed = cg.cross_parse(treebank, folds=3, gold_tags=True, settings=QUICK)
    assert parsed.form == treebank.form
    assert not (parsed.head == treebank.head).all()


def test_partial_trees_are_learned_from(treebank):
    some = np.where(np.arange(treebank.words.rows) % 3 == 0, -1, treebank.head).astype(np.int32)
    partial = treebank.replace("words", head=some)
    parser = cg.train(partial, gold_tags=True, settings={"iterations": 8})
    assert (parser.parse(treebank).head == treebank.head).mean() > 0.8


def test_lifted_arcs_come_back(treebank):
    words, heads = "A hearing is scheduled on the issue today".split(), [2, 4, 4, 0, 7, 7, 2, 4]
    labels = "det nsubj aux root case det nmod advmod".split()
    crossing = Dependencies.of([(words, heads, labels)] * 3)
    settings = {"iterations": 20}
    assert cg.train(crossing, settings=settings).parse(crossing) == crossing
    lost = cg.train(crossing, encoding="baseline", settings=settings).parse(crossing)
    assert lost.head.tolist() == [2, 4, 4, 0, 7, 7, 4, 4] * 3


@pytest.mark.parametrize("name", ["arc-eager", "arc-hybrid", "arc-standard", "swap"])
def test_degenerate_treebanks_have_a_right_result(name):
    one_word = Dependencies.of([(["Hi"], [0], ["root"])])
    assert cg.train(one_word, name, settings=QUICK).parse(one_word) == one_word
    rng = np.random.default_rng(0)
    long = Dependencies.of(
        [([f"w{rng.integers(50)}" for _ in range(1000)], [0, *range(1, 1000)], ["x"] * 1000)]
    )
    parsed = cg.train(long, name, settings=QUICK).parse(long)
    assert (parsed.head == 0).sum() == 1
    assert not cyclic(parsed).any()
    new = Dependencies.of([(["never", "seen"], [2, 0], ["unseen", "root"])])
    assert len(cg.train(one_word, name, settings=QUICK).parse(new)) == 1
    empty = one_word[:0]
    assert len(cg.train(one_word, name, settings=QUICK).parse(empty)) == 0


def test_a_dev_treebank_may_have_labels_that_were_never_seen(treebank):
    dev = treebank.replace("words", deprel=treebank.deprel.map(lambda label: f"new:{label}"))
    steps = []
    cg.train(treebank, dev=dev, gold_tags=True, settings=QUICK, watch=steps.append)
    assert steps[-1].score == 0


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([2, 1, 0], "the heads of this sentence are a cycle"),
        ([-1, -1, -1], "no word has a head"),
    ],
)
def test_treebanks_that_nothing_can_be_learned_from_are_refused(heads, message):
    corpus = Dependencies.of([(["a", "b", "c"], heads, ["x"] * 3)])
    with pytest.raises(InputError, match=message):
        cg.train(corpus)


def test_parsers_that_need_whole_trees_say_so():
    corpus = Dependencies.of([(["a", "b"], [0, -1], ["x"] * 2)])
    with pytest.raises(InputError, match="arc-standard cannot learn from partial trees"):
        cg.train(corpus, "arc-standard")


def test_a_treebank_without_words_is_refused(treebank):
    with pytest.raises(InputError, match="it has no words"):
        cg.train(treebank[:0])


def test_a_treebank_of_another_kind_is_refused():
    with pytest.raises(UsageError, match="constituents, but arc-eager is for dependencies"):
        cg.train(cg.read("example:ptb"), "arc-eager")


def test_requests_that_make_no_sense_are_refused(treebank):
    with pytest.raises(UsageError, match="there is no parser 'x'; there are arc-eager"):
        cg.train(treebank, "x")
    with pytest.raises(UsageError, match="there is no setting 'x'"):
        cg.train(treebank, settings={"x": 1})
    with pytest.raises(UsageError, match="between 0 and 1"):
        cg.train(treebank, settings={"explore": 2.0})
    with pytest.raises(UsageError, match="cannot be held out"):
        cg.train(treebank, held_out=1.5)
    with pytest.raises(UsageError, match="1 fold;"):
        cg.cross_parse(treebank, folds=1)


# ── the tagger ───────────────────────────────────────────────────────────────────────────────────


def test_a_tagger_learns_its_training_corpus(treebank):
    tagger = cg.train(treebank, "tagger")
    tagged = tagger.tag(without(treebank, "upos", "xpos", "feats", "lemma"))
    for name in ("upos", "xpos", "feats", "lemma"):
        result, gold = getattr(tagged, name), getattr(treebank, name)
        right = np.mean([a == b for a, b in zip(result, gold, strict=True)])
        assert right > 0.97, name
    assert tagged.head.tolist() == treebank.head.tolist()


def test_both_twins_make_the_same_tagger(treebank, monkeypatch):
    from commonground import kernels

    if not kernels.built():
        pytest.skip("the kernels were not compiled")
    results = []
    for name in ("python", "compiled"):
        monkeypatch.setenv("COMMONGROUND_KERNELS", name)
        tagger = cg.train(treebank[:3], "tagger", settings=QUICK)
        results.append((b"".join(model_bytes(tagger.store())), tagger.tag(treebank[3:5])))
    assert results[0] == results[1]


def test_a_tagger_needs_tags(treebank):
    with pytest.raises(UsageError, match="no word has a tag"):
        cg.train(without(treebank, "upos", "xpos", "feats"), "tagger")


def test_a_tagger_needs_no_heads(tmp_path):
    words = "1\tBirds\tbird\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tsing\tsing\tVERB\tVBP\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "tags.conllu").write_text(words, encoding="utf-8")
    where = tmp_path / "tags.conllu", "-o", tmp_path / "tagger"
    assert run("train", *where, "--parser", "tagger").returncode == 0


# ── from the command line ────────────────────────────────────────────────────────────────────────


def test_the_same_bytes_with_any_number_of_jobs(model, tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.parsers.files.SIZE", 1 << 12)
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    assert cg.parse_file(model, "example:ud", one) == len(cg.read("example:ud"))
    cg.parse_file(model, "example:ud", two, jobs=2)
    assert one.read_bytes() == two.read_bytes()
    whole = cg.load_parser(model).parse("example:ud")
    assert cg.write_text(whole, "conllu") == one.read_text()


def test_words_to_be_parsed_need_no_heads_and_no_tags(model, tmp_path):
    bare = "1\tBirds\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsing\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    done = run("parse", model, "-", "-", stdin=bare.encode())
    assert done.returncode == 0, done.stderr
    assert cg.read_text(done.stdout).head.tolist().count(0) == 1


def test_a_tagger_is_not_taken_for_a_parser_that_is_always_right(tmp_path):
    cg.train("example:ud", "tagger", settings={"iterations": 1}).save(tmp_path / "tags")
    done = run("parse", tmp_path / "tags", "example:ud", "-")
    assert_refused(done, "is a tagger, not a parser; apply it with 'commonground tag'")


def test_what_is_tagged_stays_of_its_kind(tmp_path):
    cg.train("example:ud", "tagger", settings={"iterations": 1}).save(tmp_path / "tags")
    tagged = run("tag", tmp_path / "tags", "example:ptb", "-")
    assert tagged.returncode == 0, tagged.stderr
    assert cg.read_text(tagged.stdout, "brackets").words.rows == cg.read("example:ptb").words.rows
    done = run("tag", tmp_path / "tags", "example:ptb", tmp_path / "ptb.conllu")
    assert_refused(done, "cannot hold constituents; --target-format brackets can")


def test_a_constituency_parser_tags_dependencies_too(tmp_path):
    cg.train("example:ptb", "pcfg").save(tmp_path / "model")
    tagged = run("tag", tmp_path / "model", "example:ud", "-")
    assert tagged.returncode == 0, tagged.stderr
    assert (cg.read_text(tagged.stdout, "conllu").head == cg.read("example:ud").head).all()
    done = run("parse", tmp_path / "model", "example:ud", tmp_path / "ud.conllu")
    assert_refused(done, "cannot hold constituents; --target-format brackets can")


def test_the_files_of_a_folder_are_tagged_in_formats_that_hold_them(tmp_path):
    (tmp_path / "in").mkdir()
    cg.write(cg.read("example:ud")[:2], tmp_path / "in/a.conllu")
    cg.write(cg.read("example:ptb")[:2], tmp_path / "in/b.mrg")
    cg.train("example:ud", "tagger", settings={"iterations": 1}).save(tmp_path / "tags")
    line = ["tag", tmp_path / "tags", tmp_path / "in", tmp_path / "out"]
    assert_refused(run(*line, "--target-format", "conllu"), "cannot hold constituents")
    assert run(*line).returncode == 0
    assert cg.read(tmp_path / "out/b.mrg").kind == "constituents"


def test_a_damaged_model_is_one_line(model, tmp_path):
    data = model.read_bytes()
    (tmp_path / "cut").write_bytes(data[:-100])
    assert_refused(
        run("parse", tmp_path / "cut", "example:ud", "-"), "cut: not a good model: it is"
    )
    text = write(tmp_path / "text", "1\tHi\n")
    assert_refused(run("parse", text, "example:ud", "-"), "text: it is not a model")
    assert_refused(run("tag", "nothing", "example:ud", "-"), "nothing: cannot be read")


def test_a_cycle_is_told_with_its_line(tmp_path):
    row = "{0}\t{1}\t_\tX\t_\t_\t{2}\tdep\t_\t_\n"
    text = "# a\n" + row.format(1, "a", 2) + row.format(2, "b", 1) + row.format(3, "c", 0) + "\n"
    path = write(tmp_path / "cycle.conllu", text)
    done = run("train", path, "-o", tmp_path / "m")
    assert_refused(done, "cycle.conllu:1: the heads of this sentence are a cycle")
    assert not (tmp_path / "m").exists()


def test_the_log_can_be_plotted(tmp_path):
    arguments = "--gold-tags --held-out 0.2 --set iterations=3 --quiet --log".split()
    done = run("train", "example:ud", *arguments, tmp_path / "log", "-o", tmp_path / "m")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    rows = [line.split("\t") for line in (tmp_path / "log").read_text().splitlines()]
    assert rows[0] == ["iteration", "loss", "dev", "seconds"]
    assert [row[0] for row in rows[1:]] == ["1", "2", "3"]


def test_options_that_do_not_fit_are_refused(tmp_path):
    assert_refused(run("train", "example:ud"), "name one with -o MODEL")
    assert_refused(
        run("train", "example:ud", "--folds", 3), "--folds and --parses must be given together"
    )
    assert_refused(run("train", "example:ud", "--set", "x", "-o", "m"), "write NAME=VALUE")


def test_an_interrupt_keeps_the_best_model_so_far(tmp_path):
    path, (ours, theirs) = tmp_path / "m", pty.openpty()
    arguments = ["train", "example:ud", "--gold-tags", "--set", "iterations=100000", "-o", path]
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=theirs)
    told = b""
    while b"iteration 1 of 100000: loss" not in told:
        told += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    os.close(theirs)
    os.close(ours)
    assert cg.load_parser(path).log


@pytest.mark.parametrize("name", ["arc-eager", "stacked", "spans"])
def test_an_interrupt_while_taggers_and_folds_are_trained_gives_a_whole_model(name, monkeypatch):
    """What has not begun yet makes one pass."""
    passes = []
    source = "example:ptb" if name == "spans" else "example:ud"
    original = learning.learned

    def interrupted(learner, task, **options):
        if not passes:
            os.kill(os.getpid(), signal.SIGINT)
        seen = []
        watched = replace(task, watch=lambda step: (seen.append(step), task.watch(step)))
        model = original(learner, watched, **options)
        passes.append(len(seen))
        return model

    for module in (tagger, transition, stacked, spans):
        monkeypatch.setattr(module, "learned", interrupted)
    few = {"iterations": 5} | ({"bits": 12} if name == "stacked" else {})
    treebank = cg.read(source)[:6]
    parser = cg.train(treebank, name, settings=few)
    assert len(passes) > 5
    assert set(passes) == {1}
    assert len(parser.parse(treebank)) == 6


def test_a_second_interrupt_ends_everything(monkeypatch):
    def twice(*_, **__):
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(transition, "learned", twice)
    with pytest.raises(KeyboardInterrupt):
        cg.train("example:ud", "arc-eager", gold_tags=True)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# ── in spaCy ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_spacy_documents_are_parsed(model):
    pytest.importorskip("spacy", reason="an extra")
    code = f"""if True:
        import spacy
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("commonground", config={{"model": {str(model)!r}}})
        doc = nlp("The  cat sleeps. Dogs bark at it.")
        assert [sentence.text for sentence in doc.sents] == ["The  cat sleeps.", "Dogs bark at it."]
        assert doc[1].head == doc[0]
        assert sum(token.head == token for token in doc) == 2
        assert all(token.dep_ for token in doc)
        assert doc[0].pos_ == "DET"
        assert len(nlp("")) == 0
        assert len(nlp(" ")) == 1
        again = spacy.util.load_model_from_config(nlp.config, auto_fill=True)
        other = again("The  cat sleeps. Dogs bark at it.")
        assert [token.head.i for token in other] == [token.head.i for token in doc]
    """
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("value", [[3], {}, None, 2.5, True, "many"])
def test_a_setting_of_another_type_is_refused(value):
    with pytest.raises(UsageError, match=r"the setting iterations is .*; it must be like 10"):
        cg.train("example:ud", settings={"iterations": value})


def test_a_parser_can_be_trained_on_gold_tags_without_lemmas_and_features(treebank):
    parser = cg.train(treebank, gold="tags", settings=QUICK)
    blind = treebank.replace("words", lemma=treebank.form, feats=treebank.form)
    parsed, other = parser.parse(treebank), parser.parse(blind)
    assert parsed.head.tolist() == other.head.tolist()
    assert parsed.lemma.tolist() == treebank.lemma.tolist()
    with pytest.raises(
        UsageError, match="gold can be tags or tags,lemmas,feats or upos, not 'lemmas'"
    ):
        cg.train(treebank, gold="lemmas")


# ── the choice of a parser ───────────────────────────────────────────────────────────────────────


def _repeated(sentences):
    return cg.Dependencies.concatenate([cg.read("example:ud")] * (sentences // 64 + 1))[:sentences]


def test_a_parser_is_chosen_by_size_and_time():
    assert choose(_repeated(64), "best").parser == "arc-eager"
    small = _repeated(400)
    assert choose(small, "best").parser == "stacked"
    assert choose(small, "1s").parser == "arc-eager"
    assert "longer than 1s" in choose(small, "1s").why
    assert choose(_repeated(4800), "best").parser == "ensemble"


def test_crossing_arcs_make_the_middle_choice_a_graph_parser():
    straight = _repeated(400)
    crossing = straight.replace("words", head=np.where(straight.words.row_in_sentence() % 9 == 3,
                                                       1, straight.head).astype(np.int32))  # fmt: skip
    assert choose(straight, "7s").parser == "arc-eager"
    assert choose(crossing, "7s").parser == "mst"


def test_only_parsers_with_the_given_settings_are_chosen_from():
    assert choose(_repeated(400), "best", ["explore"]).parser == "arc-eager"


def test_the_choice_is_told_in_one_sentence(tmp_path):
    assert choose(cg.read("example:ud")).why.startswith("arc-eager was chosen for 828 words")
    assert_refused(
        run("train", "example:ud", "--budget", "soon", "-o", tmp_path / "m"), "--budget soon is not"
    )
    line = ["train", "example:ud", "--budget", "60s", "--parser", "mst", "-o", tmp_path / "m"]
    assert_refused(run(*line), "--parser names one")
