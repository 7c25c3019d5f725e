"""The aligner, from the text to the links."""

from itertools import pairwise

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground as cg
from commonground.alignment import (
    AlignerSettings,
    Bitext,
    align,
    chosen_settings,
    read_bitext,
    read_model,
)
from commonground.alignment.confidence import best_threshold
from commonground.alignment.model import write_model
from commonground.alignment.training import Trainer
from commonground.errors import InputError, MissingExtraError, UsageError

DICTIONARY = {
    "the": "das",
    "a": "ein",
    "house": "Haus",
    "book": "Buch",
    "new": "neue",
    "old": "alte",
}
SENTENCES = ["the house", "the book", "a book", "a new book", "the old house", "the new house"]
PAIRS = [(text.split(), [DICTIONARY[word] for word in text.split()]) for text in SENTENCES] * 3


def links(aligned):
    """The links of each pair, as sets."""
    table = aligned.links.links
    both = list(zip(aligned.links.source.tolist(), aligned.links.target.tolist(), strict=True))
    ends = table.offsets.tolist()
    return [set(both[a:b]) for a, b in pairwise(ends)]


def test_a_small_dictionary_is_found(kernels):
    result = links(align(Bitext.of(PAIRS)))
    assert result == [{(i, i) for i in range(len(source))} for source, _ in PAIRS]


def test_words_that_change_places_are_followed():
    pairs = [(source, target[::-1]) for source, target in PAIRS]
    result = links(align(Bitext.of(pairs)))
    right = [{(i, len(s) - 1 - i) for i in range(len(s))} for s, _ in pairs]
    assert sum(len(a & b) for a, b in zip(result, right, strict=True)) > 0.8 * sum(map(len, right))


def test_the_result_does_not_depend_on_jobs_or_blocks(monkeypatch):
    once = align(Bitext.of(PAIRS))
    assert align(Bitext.of(PAIRS), jobs=2).links == once.links
    monkeypatch.setattr("commonground.alignment.training._CELLS", 5)
    assert align(Bitext.of(PAIRS)).links == once.links


def test_the_intersection_is_part_of_every_other_way():
    strict = links(align(Bitext.of(PAIRS), way="intersection", confidence=0))
    for way in ("union", "grow-diag", "grow-diag-final", "grow-diag-final-and"):
        more = links(align(Bitext.of(PAIRS), way=way))
        assert all(one <= two for one, two in zip(strict, more, strict=True))


def test_a_pair_with_an_empty_side_stays_without_links_and_is_counted():
    aligned = align(Bitext.of([*PAIRS, ([], ["x"]), (["y"], []), ([], [])]))
    assert aligned.empty == (18, 19, 20)
    assert links(aligned)[18:] == [set(), set(), set()]
    assert len(aligned.links) == 21


def test_no_pair_at_all_has_no_links():
    assert len(align(Bitext.of([])).links) == 0
    assert links(align(Bitext.of([([], [])]))) == [set()]


@pytest.mark.long
def test_a_sentence_of_300_words_is_aligned():
    long = [f"w{i}" for i in range(300)]
    result = links(align(Bitext.of([*PAIRS, (long, long)])))
    assert len(result[-1] & {(i, i) for i in range(300)}) > 290


def test_a_pair_that_is_too_long_is_counted_and_left_alone():
    settings = AlignerSettings(longest=3)
    aligned = align(Bitext.of([*PAIRS, (["a"] * 4, ["ein"])]), settings=settings)
    assert aligned.too_long == (18,)
    assert links(aligned)[18] == set()
    assert links(aligned)[0] == {(0, 0), (1, 1)}


def test_words_of_the_same_spelling_are_taken_for_translations():
    pairs = [(["Anna", "sleeps"], ["schläft", "Anna"]), (["Otto", "eats"], ["isst", "Otto"])]
    for result in links(align(Bitext.of(pairs))):
        assert (0, 1) in result


def _inflected(stems, endings, count=150):
    """Sentences of a language whose words end in letters that its translation does not show."""
    random = np.random.default_rng(1)
    for _ in range(count):
        words = random.choice(len(stems), 6, replace=False)
        order = np.argsort(np.arange(6) + random.uniform(0, 2, 6))
        source = [f"{stems[word][::-1]}{random.integers(9)}" for word in words]
        yield source, [stems[words[at]][:endings] + f"{random.integers(99):02}" for at in order]


def test_the_letters_that_are_compared_are_those_that_the_directions_agree_on():
    letters = "abcdefghij"
    stems = [one + two + "xyz" for one in letters for two in letters]
    source, target = zip(*_inflected(stems, 2), strict=True)
    chosen = chosen_settings(Bitext.of(zip(source, target, strict=True)))
    assert (chosen.prefix, chosen.target_prefix) == (5, 2)
    turned = chosen_settings(Bitext.of(zip(target, source, strict=True)))
    assert (turned.prefix, turned.target_prefix) == (2, 5)
    given = chosen_settings(Bitext.of(PAIRS * 10), prefixes=(3, 2), rounds=4)
    assert given == AlignerSettings(prefix=3, target_prefix=2, rounds=4)


def test_settings_are_the_same_on_two_cores_and_usual_in_a_short_text():
    pairs = Bitext.of(PAIRS * 10)
    assert chosen_settings(pairs, threads=2) == chosen_settings(pairs) == align(pairs).settings
    assert 2 <= chosen_settings(pairs).rounds <= 5
    assert chosen_settings(Bitext.of(PAIRS)) == AlignerSettings()


def test_directions_that_cannot_know_agree_less_than_those_that_can():
    random = np.random.default_rng(0)
    noise = [(source, random.permutation(list(DICTIONARY)).tolist()) for source, _ in PAIRS]
    shares = []
    for pairs in (PAIRS, noise):
        trainer = Trainer(Bitext.of(pairs), AlignerSettings())
        trainer.train()
        shares.append(trainer.agreement())
    assert shares[1] < 0.6
    assert 0.9 < shares[0] <= 1


def test_the_threshold_is_half_of_the_highest_expected_f1():
    likely = np.random.default_rng(0).uniform(0, 1, 10_000)
    least = best_threshold(likely, likely.sum())
    kept = likely[likely >= least]
    assert least == pytest.approx(kept.sum() / (len(kept) + likely.sum()), abs=0.01)
    assert best_threshold(np.empty(0), 3.0) == 0


def test_links_are_as_probable_as_the_threshold_that_keeps_them():
    bitext = Bitext.of(PAIRS)
    links = align(bitext, confidence=0, probabilities=True).links
    assert ((links.probability >= 0) & (links.probability <= 1)).all()
    least = float(np.median(links.probability))
    some = align(bitext, confidence=least, probabilities=True).links
    assert some.links.rows == (links.probability >= least).sum()
    assert align(bitext, confidence=0).links.probability is None


def test_a_model_of_the_time_before_two_prefixes_is_read(tmp_path):
    path = tmp_path / "words.model"
    write_model(align(Bitext.of(PAIRS)).model, path)
    path.write_text(path.read_text().replace("setting\ttarget_prefix\t4\n", ""))
    assert read_model(path).settings == AlignerSettings()


def test_a_saved_model_aligns_new_text(tmp_path):
    model = align(Bitext.of(PAIRS)).model
    write_model(model, tmp_path / "words.model")
    again = read_model(tmp_path / "words.model")
    assert again.settings == model.settings
    assert again.probability("house", "Haus") == pytest.approx(
        model.probability("house", "Haus"), abs=0.01
    )
    assert model.probability("house", "Haus") > 0.8
    assert model.probability("house", "nothing") == model.probability("nothing", "Haus") == 0
    new = Bitext.of([("old book a".split(), "ein alte Buch".split())])
    for train in (False, True):
        assert links(align(new, model=again, train=train)) == [{(0, 1), (1, 2), (2, 0)}]


def test_a_model_that_is_none_is_refused_with_its_line(tmp_path):
    path = write(tmp_path / "x.model", "what\n")
    with pytest.raises(InputError, match=r"x\.model:1: this is not an alignment model"):
        read_model(path)
    write_model(align(Bitext.of(PAIRS)).model, path)
    text = path.read_text()
    path.write_text(text + "link\ta\n")
    with pytest.raises(InputError, match=f":{text.count(chr(10)) + 1}: .*not an entry of a model"):
        read_model(path)
    path.write_text(text.replace("setting\treach\t20\n", ""))
    with pytest.raises(InputError, match="a model has the settings"):
        read_model(path)
    path.write_text(text.replace("source-jump\t3\t", "source-jump\t300\t"))
    with pytest.raises(InputError, match="a model has the jumps from -20 to 20"):
        read_model(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"way": "nearest"}, "there is no way 'nearest' to symmetrise"),
        ({"aligner": "giza"}, "there is no aligner 'giza'"),
        ({"confidence": 2}, "a number from 0 to 1"),
        ({"train": False}, "there is no model to align with"),
        ({"aligner": "eflomal", "confidence": 0.5}, "only with the aligner hmm"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        align(Bitext.of(PAIRS), **options)


def test_settings_that_make_no_sense_are_refused():
    for settings in ({"rounds": -1}, {"smoothing": 0}, {"empty": 1}, {"longest": 0}):
        with pytest.raises(UsageError):
            AlignerSettings(**settings)


def test_the_likelihood_never_falls_in_rounds_of_model_1():
    trainer = Trainer(Bitext.of(PAIRS), AlignerSettings(alike=0, smoothing=1e-9))
    results = []
    original = trainer._kernel.expected

    class Watched:
        def __getattr__(self, name):
            return getattr(original_module, name)

        def expected(self, *arguments):
            results.append(original(*arguments))
            return results[-1]

    original_module = trainer._kernel
    trainer._kernel = Watched()
    for _ in range(5):
        trainer._round(lambda _: None, jumping=False)
    for direction in (0, 1):
        assert (np.diff(results[direction::2]) >= -1e-3).all()


def test_eflomal_is_an_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "eflomal", None)
    with pytest.raises(MissingExtraError, match=r"commonground\[align\]"):
        align(Bitext.of(PAIRS), aligner="eflomal")


def test_eflomal_aligns_words_with_spaces_without_a_shift():
    pytest.importorskip("eflomal")
    pairs = [(source, ["zum Beispiel", *target]) for source, target in PAIRS]
    aligned = align(Bitext.of([([], ["x"]), *pairs]), aligner="eflomal")
    assert len(aligned.links) == 19
    assert aligned.empty == (0,)
    assert max(aligned.links.target) <= 3


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def test_words_with_spaces_in_treebanks_shift_no_link(shared):
    english, swedish = (cg.read(shared / f"data/pud/{name}.conllu")[:200] for name in ("en", "sv"))
    assert any(" " in form for form in swedish.form.vocabulary)
    aligned = align(english, swedish).links
    last = aligned.links.sentence_of_row()
    assert (aligned.target < swedish.words.lengths[last]).all()
    assert (aligned.source < english.words.lengths[last]).all()
    stops = [
        ("." == e[-1] == s[-1])
        for e, s in ((a.form, b.form) for a, b in zip(english, swedish, strict=True))
    ]
    both = [
        set(zip(p.column("source").tolist(), p.column("target").tolist(), strict=True))
        for p in aligned
    ]
    ends = zip(english.words.lengths, swedish.words.lengths, strict=True)
    hits = [
        (a - 1, b - 1) in here for here, (a, b), stop in zip(both, ends, stops, strict=True) if stop
    ]
    assert np.mean(hits) > 0.95


def test_text_treebanks_and_pairs_are_read_alike(tmp_path):
    source = write(tmp_path / "en.txt", "a bird\n\nit sings\n")
    target = write(tmp_path / "de.txt", "ein Vogel\nnichts\nes singt\n")
    pairs = write(tmp_path / "both.tsv", "a bird\tein Vogel\n\tnichts\nit sings\tes singt\n")
    one, two = read_bitext(source, target), read_bitext(pairs)
    assert one.source == two.source
    assert one.target == two.target
    assert one.with_empty_side.tolist() == [False, True, False]
    assert len(read_bitext("example:ud", "example:sud")) == len(cg.read("example:ud"))


def test_different_numbers_of_lines_are_said_with_both(tmp_path):
    source, target = write(tmp_path / "en.txt", "a\nb\n"), write(tmp_path / "de.txt", "a\n")
    assert_refused(run("align", source, target), f"{target}: 1 sentence, but {source} has 2")


@pytest.mark.parametrize("line", ["no tab", "a\tb\tc"])
def test_a_line_that_is_no_pair_is_said_with_its_number(line, tmp_path):
    path = write(tmp_path / "pairs.tsv", f"a\tb\n{line}\n")
    assert_refused(run("align", path), f"{path}:2: ")


def test_align_writes_links_and_models_and_reads_them_again(tmp_path):
    text = "".join(f"{' '.join(source)}\t{' '.join(target)}\n" for source, target in PAIRS)
    path = write(tmp_path / "pairs.tsv", text)
    model, output = tmp_path / "words.model.gz", tmp_path / "links.a3"
    assert_silent_success(run("align", path, "-o", output, "--save-model", model, "--jobs", "2"))
    assert cg.read(output).links == align(Bitext.of(PAIRS)).links.links
    applied = run("align", path, "--model", model, "--no-training")
    assert_silent_success(applied)
    assert applied.stdout.splitlines()[0] == "0-0 1-1"


def test_an_empty_side_is_told_on_standard_error(tmp_path):
    path = write(tmp_path / "pairs.tsv", "a bird\tein Vogel\n\tx\n")
    done = run("align", path)
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["0-0 1-1", ""]
    assert done.stderr == "1 pair without links (no words on one side): 2\n"
    assert run("align", path, "--quiet").stderr == ""


def test_symmetrising_two_files_is_what_align_does():
    both = {
        way: align(Bitext.of(PAIRS), way=way).links for way in ("forward", "backward", "grow-diag")
    }
    assert (
        cg.symmetrise(both["forward"], both["backward"], "grow-diag").links
        == both["grow-diag"].links
    )


def test_a_word_that_is_linked_twice_in_one_direction_is_refused():
    one, two = cg.read_text("0-0 1-0\n", "pharaoh"), cg.read_text("0-0\n", "pharaoh")
    with pytest.raises(UsageError, match="a target word is linked twice in the alignment forward"):
        cg.symmetrise(one, two)
    with pytest.raises(UsageError, match="1 pairs forward, but 2 backward"):
        cg.symmetrise(two, two + two)


# ── drawings ─────────────────────────────────────────────────────────────────────────────────────


def test_an_alignment_is_drawn_as_a_grid_with_a_square_for_each_link(tmp_path):
    path = write(tmp_path / "a.align", "0-0 1p2\n")
    grid = cg.draw(cg.read(path))
    assert grid.count("h10v10h-10z") == 2
    assert grid.count('class="tip"') == 1
    assert_silent_success(run("view", path, "-o", tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").read_text() == grid
    assert_refused(run("view", path, "--draw", "tikz"), "svg, png or pdf")


def test_two_trees_are_drawn_with_lines_between_linked_words(tmp_path):
    path = write(tmp_path / "a.align", "0-0 1-1\n" * len(cg.read("example:ud")))
    done = run("view", "example:ud", "--target", "example:sud", "--links", path, "--sentence", "2",
               "-o", tmp_path / "pair.svg")  # fmt: skip
    assert_silent_success(done)
    assert (tmp_path / "pair.svg").read_text().count('class="right"') == 2
    assert_refused(run("view", "example:ud", "--links", path), "must be given together")
    assert_refused(
        run("view", "example:ud", "--links", path, "--target", "example:sud"), "-o FILE.svg"
    )


def test_lines_to_words_that_are_not_there_are_refused():
    one = cg.read("example:ud")[:1]
    with pytest.raises(UsageError, match="counted from 0"):
        cg.draw_alignment(one, one, cg.read_text("99-0\n", "pharaoh"))


@pytest.mark.parametrize(
    ("name", "first"),
    [("x.align", "0-0"), ("x.giza", "# Sentence pair"), ("x.links", "0-0"), ("x", "0-0")],
)
def test_links_are_in_the_format_that_the_suffix_names_or_else_pharaoh(tmp_path, name, first):
    source = write(tmp_path / "s.txt", "a b\na c\n")
    run("align", source, source, "-o", tmp_path / name)
    assert (tmp_path / name).read_text().startswith(first)
