"""Mining finds every vetted sentence, however the corpus is cut, and proposes targets for them."""

import gzip
import re
import shutil

import pytest
from command import run_line, write

from commonground import InputError, UsageError, read, read_gold, write_text
from commonground.cli import main
from commonground.corpus.stripping import strip
from commonground.phenomena import mine as mining
from commonground.phenomena.derivations import mine_profile, read_profile
from commonground.phenomena.kinds import phenomena
from commonground.phenomena.mine import bundled_searches, mine, read_searches
from commonground.phenomena.result import score_phenomena
from commonground.phenomena.sheet import sheet, write_sheet

OWN = "example:phenomena-ud"


def own_sentences(found):
    """Return which of our own sentences were found, by phenomenon."""
    ids = read(OWN).sent_id.tolist()
    return {name: {ids[int(n) - 1] for n in files[OWN]} for name, files in found.numbers.items()}


def test_every_sentence_of_ours_is_found_when_mixed_in(shared):
    result = mine([shared / "data/ewt/dev.conllu", OWN, shared / "data/pud/en.conllu"])
    assert result.sentences == 2001 + 210 + 1000
    for name, ids in own_sentences(result).items():
        assert {f"{name}-{number:02d}" for number in range(1, 22)} <= ids


def test_other_phenomena_are_hardly_found_in_our_sentences():
    for name, ids in own_sentences(mine([OWN])).items():
        assert len([each for each in ids if not each.startswith(name)]) <= 2


def test_the_bundled_searches_are_about_the_ten():
    for kind in ("dependencies", "constituents", "derivations"):
        searches = read_searches(
            mining.Path(mining.__file__).parent / f"mining/{kind}.toml", needed=False
        )
        assert set(searches) == set(phenomena())
    kinds = {
        name: {t.lstrip("!") for _, t, _ in s.targets}
        for name, s in bundled_searches("dependencies").items()
    }
    assert kinds["absol"] == {"ARG1", "MOD"}


@pytest.mark.long
def test_the_sample_depends_on_the_seed_and_on_nothing_else(monkeypatch, tmp_path):
    whole = mine([OWN], sample=4, seed=3)
    assert whole.sample != mine([OWN], sample=4, seed=4).sample
    assert whole.sample == mine([OWN], sample=4, seed=3, jobs=2).sample
    monkeypatch.setattr(mining, "SIZE", 1 << 12)
    pieces = mine([OWN], sample=4, seed=3)
    assert (pieces.sample, pieces.found, pieces.matches) == (
        whole.sample,
        whole.found,
        whole.matches,
    )
    larger = mine([OWN], sample=6, seed=3).sample
    assert all(list(larger[name])[:4] == list(each) for name, each in whole.sample.items())


def test_a_sheet_is_a_gold_standard_that_the_trees_fulfil(tmp_path):
    words = ["phenomena", "mine", OWN, "--sample", "21", "--sheet", str(tmp_path / "sheet.tsv")]
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    proposed, ours = read_gold(tmp_path / "sheet.tsv"), read_gold("example:phenomena")
    assert set(proposed.phenomena) == set(phenomena())
    right = {(t.item, t.type, w.text.lower()) for t in ours.targets for w in t.dependents}
    hits = [(t.item, t.type, t.dependents[0].text.lower()) in right for t in proposed.targets]
    assert sum(hits) / len(hits) > 0.8


def test_brackets_are_mined_as_well(shared):
    result = mine(sorted((shared / "data/gum/const").glob("GUM_news_*.ptb")), sample=1)
    assert result.found["vger"] > 10
    assert result.found["control"] > 20
    assert mine(["example:ptb"]).found["barerel"] >= 3


TRACES = """\
(S (S-NOM-SBJ (NP-SBJ (-NONE- *)) (VP (VBG Singing) (ADVP (RB well)))) (VP (VBZ helps)))
(S (NP-SBJ (PRP We)) (VP (VBP win) (PP (IN by) (S-NOM (NP-SBJ (-NONE- *)) (VP (VBG singing) \
(ADVP (RB well)))))))
(S (NP-SBJ-1 (NNS Songs)) (VP (VBP are) (ADJP-PRD (JJ hard) (SBAR (WHNP-2 (-NONE- 0)) (S (NP-SBJ \
(-NONE- *)) (VP (TO to) (VP (VB sing) (NP (-NONE- *T*-2)))))))))
(S (NP-SBJ (PRP I)) (VP (VBP have) (NP (NP (NNS songs)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ \
(-NONE- *)) (VP (TO to) (VP (VB sing) (NP (-NONE- *T*-1)))))))))
(S (NP-SBJ-1 (NNS Songs)) (VP (VBP are) (VP (VBN made) (PRT (RP up)) (NP (-NONE- *-1)))))
""".replace("\\\n", "")


def test_traces_are_no_words_to_those_who_look_for_phenomena(tmp_path):
    path = write(tmp_path / "traces.mrg", TRACES)
    bare = write(tmp_path / "bare.mrg", write_text(strip(read(path), ["traces"]), "brackets"))
    result, without = mine([path], sample=3), mine([bare])
    some = ("barerel", "tough", "vpart", "vger", "argadj")
    assert [result.found[name] for name in some] == [0, 1, 0, 2, 0]
    assert [without.found[name] for name in some] == [0, 1, 0, 2, 0]
    places = {each.words["G"] for each in result.sample["vger"]}
    assert places == {("Singing", 0), ("singing", 3)}


def test_labels_that_the_patterns_do_not_know_are_refused(tmp_path):
    rows = ["1\tShe\t_\tPRP\tPRP\t_\t2\tSBJ\t_\t_", "2\tsings\t_\tVBZ\tVBZ\t_\t0\tROOT\t_\t_"]
    path = write(tmp_path / "lth.conll", "\n".join([*rows, "", ""]))
    with pytest.raises(InputError, match="most labels are none of UD"):
        mine([path])


def test_patterns_of_ones_own_and_what_is_wrong_with_them(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[passive]\npatterns = ["deprel==nsubj:pass"]\n')
    assert mine(["example:ud"], searches=read_searches(path)).found["passive"] > 0
    for text, said in (
        ('\n[x]\npatterns = ["A -["]\n', f"{path}:2: [x] pattern, character 3"),
        ("[x]\nother = 1\n", f"{path}:1: [x] has no list of patterns"),
        ('[x]\npatterns = ["A: upos=X"]\ntargets = ["A B"]\n', "is not a target such as"),
        ("x", "not TOML"),
    ):  # fmt: skip
        path.write_text(text)
        with pytest.raises(InputError, match=re.escape(said)):
            read_searches(path)


def test_what_is_not_there_is_refused():
    with pytest.raises(UsageError, match="there is no phenomenon 'nix'"):
        mine([OWN], only=["nix"])
    with pytest.raises(UsageError, match="mined in dependencies and constituents"):
        bundled_searches("alignments")


def test_the_words_of_brackets_are_the_heads_of_phrases():
    gold = sheet(mine(["example:ptb"], sample=5))
    for target in gold.targets:
        words = gold.sentences[target.item].split()
        for word in (*target.heads, *target.dependents):
            assert words[word.position] == word.text


@pytest.mark.long
def test_brackets_fulfil_what_they_propose_as_far_as_they_can(shared, tmp_path):
    files = sorted((shared / "data/gum/const").glob("GUM_*.ptb"))
    write_sheet(mine(files, sample=30), tmp_path / "sheet.tsv")
    result = score_phenomena(tmp_path / "sheet.tsv", {"own": tmp_path / "sheet.trees.mrg"})
    assert set(result.phenomena) == set(phenomena())
    unsaid = {"barerel.gap", "tough.gap", "rnr.second", "itexpl.expletive"}
    said = [
        right
        for row, (right, _) in zip(result.rows, result.outcomes["own"], strict=True)
        if row.name.removeprefix("phenomena.") not in unsaid
    ]
    assert sum(said) / len(said) >= 0.95


def test_raised_nodes_are_found_by_their_traces(tmp_path):
    raised = (
        "(S (NP-SBJ (PRP We)) (VP (VP (VBP like) (NP (-NONE- *RNR*-1))) (CC and) (VP (VBP sing) "
        "(NP (-NONE- *RNR*-1))) (NP-1 (JJ old) (NNS songs))))"
    )
    gold = sheet(mine([write(tmp_path / "raised.mrg", raised)], only=["rnr"], sample=1))
    assert [t.dependency for t in gold.targets] == [
        "sing-3 ARG2 songs-5",
        "like-1 ARG2 songs-5",
    ]


def test_files_without_ids_give_items_that_name_the_file(tmp_path):
    text = "(S (NP (PRP We)) (VP (VBP put) (PRT (RP off)) (NP (DT the) (NN race))))\n"
    paths = [write(tmp_path / name, text) for name in ("a.mrg", "b.mrg")]
    gold = sheet(mine(paths, only=["vpart"], sample=2))
    assert sorted(gold.items) == ["a-1", "b-1"]


def test_the_command_tells_frequencies_and_a_sample(tmp_path):
    done = run_line(
        f"commonground phenomena mine {OWN} --only ned,control --sample 2 --output-format json",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"sent_id"') == 4


# ── languages ────────────────────────────────────────────────────────────────────────────────────

GERMAN = """\
1\tWenn\twenn\tSCONJ\t_\t_\t3\tmark\t_\t_
2\tes\tes\tPRON\t_\t_\t3\tnsubj\t_\t_
3\tregnet\tregnen\tVERB\t_\t_\t4\tadvcl\t_\t_
4\tgibt\tgeben\tVERB\t_\t_\t0\troot\t_\t_
5\tes\tes\tPRON\t_\t_\t4\tnsubj\t_\t_
6\tPfützen\tPfütze\tNOUN\t_\t_\t4\tobj\t_\t_

"""


def test_text_of_another_language_is_refused_unless_it_is_said_to_be_english(tmp_path):
    path = write(tmp_path / "rain.conllu", GERMAN * 20)
    with pytest.raises(InputError, match="the patterns are for English, and only 0 %"):
        mine([path])
    assert mine([path], language="en").sentences == 20
    with pytest.raises(UsageError, match="the patterns are for en, and this is de"):
        mine([path], language="de")
    named = write(tmp_path / "de_rain-ud-dev.conllu", GERMAN)
    with pytest.raises(UsageError, match="the patterns are for en, and this is de"):
        mine([named])


def test_constructions_are_mined_in_their_language_and_scored_like_the_ten(tmp_path):
    write(tmp_path / "de_rain-ud-dev.conllu", GERMAN)
    line = "commonground phenomena mine de_rain-ud-dev.conllu --constructions --sample 1"
    done = run_line(f"{line} --sheet rain.tsv --output-format tsv", tmp_path)
    assert "conditional\tconditional\t1" in done.stdout, done.stderr
    assert "Wikipedia" not in done.stdout
    gold = read_gold(tmp_path / "rain.tsv")
    assert {t.dependency for t in gold.targets} == {"gibt-3 MOD regnet-2", "gibt-3 ARG Pfützen-5"}
    result = score_phenomena(gold, {"own": tmp_path / "rain.trees.conllu"})
    assert result.system("own")["phenomena"].value == 1


@pytest.mark.parametrize("language", mining.construction_languages())
def test_the_patterns_of_every_language_can_be_read(language):
    searches = mining.construction_searches(language)
    assert {"interrogative", "conditional", "npn"} & set(searches)
    assert all("C" in p.names for search in searches.values() for p in search.patterns)


def test_constructions_need_a_language_that_is_known(tmp_path):
    for option, said in (("", "needs the --language"), ("--language xx", "no constructions for")):
        done = run_line(
            f"commonground phenomena mine example:ud --constructions {option}", tmp_path
        )
        assert done.returncode == 2
        assert said in done.stderr


# ── derivations ──────────────────────────────────────────────────────────────────────────────────

PROFILE = {
    "relations": "item:\n  i-id :integer :key\n  i-input :string\n\nparse:\n  parse-id :integer :key\n  i-id :integer :key\n\n"
    "result:\n  parse-id :integer :key\n  result-id :integer\n  derivation :string\n  mrs :string\n",
    "item": "10@Kim tries to sleep.\n",
    "parse": "10@10\n",
    "result": '10@0@(root (1 sb-hd_mc_c 0 0 2 (2 kim 0 0 1 ("Kim" 1 "t")) (3 vp_np-ger_c 0 1 2 (4 try_v1 0 1 2 ("tries" 2 "t")))))@'
    "[ LTOP: h0 INDEX: e2 RELS: < [ named<0:3> LBL: h4 ARG0: x3 ] [ _try_v_1<4:9> LBL: h1 ARG0: e2 ARG1: x3 ARG2: h5 ] "
    "[ _sleep_v_1<13:18> LBL: h6 ARG0: e7 ARG1: x3 ] > HCONS: < h0 qeq h1 h5 qeq h6 > ]\n",
}  # fmt: skip


@pytest.fixture
def profile(tmp_path):
    for name, text in PROFILE.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_derivations_are_trees_of_rules_and_semantics_a_graph(profile):
    result = read_profile(profile)
    assert result.derivations.label.tolist() == ["root", "sb-hd_mc_c", "vp_np-ger_c"]
    assert result.derivations.form.tolist() == ["Kim", "tries"]
    mined = mine_profile(profile, sample=1)
    assert {name for name, number in mined.found.items() if number} == {"vger", "control"}
    (control,) = mined.sample["control"]
    assert {node: word[0] for node, word in control.words.items()} == {
        "U": "_try_v_1",
        "D": "_sleep_v_1",
        "S": "named",
    }


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("result", "10@0@(root\n", "result:1: 3 fields; 4 are expected"),
        ("result", "10@0@(root (1@\n", "result:1: no derivation or MRS"),
        ("relations", "nonsense\n", "cannot be read"),
    ],
)  # fmt: skip
def test_a_malformed_profile_has_its_file_its_line_and_the_reason(profile, file, text, said):
    (profile / file).write_text(text)
    with pytest.raises(InputError, match=re.escape(said)):
        read_profile(profile)


def test_a_folder_that_is_no_profile_is_refused(tmp_path):
    with pytest.raises(InputError, match="no file 'relations'"):
        read_profile(tmp_path)


def test_a_part_of_a_real_profile_is_mined(shared, tmp_path):
    source = shared / "data/wescience/ws201"
    shutil.copy(source / "relations", tmp_path / "relations")
    for name in ("item", "parse", "result"):
        with gzip.open(source / f"{name}.gz", "rt", encoding="utf-8") as lines:
            (tmp_path / name).write_text(
                "".join(line for line, _ in zip(lines, range(60), strict=False))
            )
    result = mine_profile(tmp_path)
    assert result.sentences == 60
    assert result.found["vger"] > 0


def test_the_parts_of_a_piece_have_what_the_whole_has(tmp_path, monkeypatch):
    path = tmp_path / "own.conllu"
    path.write_text("".join(write_text(part, "conllu") for part in [read(OWN)] * 3), "utf-8")
    whole = mine([path], sample=9, seed=1)
    monkeypatch.setattr(mining, "PART", 5_000)
    parts = mine([path], sample=9, seed=1)
    assert parts.to_json() == whole.to_json()
    for name, sample in whole.sample.items():
        for one, other in zip(sample, parts.sample[name], strict=True):
            assert (one.number, one.tree[0].line) == (other.number, other.tree[0].line)


def test_what_is_wrong_is_told_as_of_the_whole_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(mining, "PART", 5_000)
    path = tmp_path / "own.conllu"
    lines = write_text(read(OWN), "conllu").replace("\tnsubj\t", "\tnsubj", 1).splitlines()
    path.write_text("\n".join([*lines[900:], "", *lines[:900]]) + "\n\n", "utf-8")
    with pytest.raises(InputError) as told:
        mine([path])
    with pytest.raises(InputError) as wanted:
        read(path)
    assert str(told.value) == str(wanted.value)
