"""Files with defects through the commands: scored, mended, checked."""

from __future__ import annotations

import json

import pytest
from command import run

import commonground as cg

WRITTEN = """Here you go:
```
1\tTom\tTom\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\t_\t_\t3\troot\t_\t_
3\tit\tit\tPRON\t_\t_\t2\tobj
```
"""
GOLD = """1\tTom\tTom\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\tit\tit\tPRON\t_\t_\t2\tobj\t_\t_
4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def files(tmp_path):
    """A gold standard, and what somebody wrote."""
    gold, written = tmp_path / "gold.conllu", tmp_path / "answer.txt"
    gold.write_text(GOLD)
    written.write_text(WRITTEN)
    return gold, written


def test_scores_before_and_after_are_in_table_json_and_signature(files):
    gold, written = files
    done = run("evaluate", gold, written, "--repair", "right-branching", "--metrics", "uas")
    assert "before: every sentence with a defect is wrong    0.00" in done.stdout
    assert "as written: missing heads are wrong             50.00" in done.stdout
    assert "after: right-branching                          75.00" in done.stdout
    assert "repair:right-branching" in done.stdout
    saved = run("evaluate", gold, written, "--repair", "open", "--output-format", "json").stdout
    system = json.loads(saved)["systems"][0]
    counts = {"fence": 2, "prose": 1, "columns": 1, "cycle": 1, "no-root": 1, "lost-word": 1}
    assert system["repairs"]["defects"] == counts
    assert set(system["repairs"]["others"]) >= {"before", "as written", "left-branching"}
    again = cg.Evaluation.from_json(json.loads(saved))
    assert again.to_json()["systems"][0]["repairs"] == system["repairs"]
    assert "defects:fence=2+prose=1" in json.loads(saved)["signature"]


def test_the_library_says_the_same(files):
    gold, written = map(str, files)
    result = cg.evaluate(gold, written, repair="right-branching", metrics=["uas"])
    assert result["uas"].value == 0.75
    assert result.only.repairs.defects["lost-word"] == 1
    text = cg.evaluate(gold, {"mine": WRITTEN}, repair="right-branching", metrics=["uas"])
    assert text["uas"].value == 0.75


def test_the_mended_file_is_written(files, tmp_path):
    gold, written = files
    out = tmp_path / "mended.conllu"
    done = run("convert", written, out, "--repair", "right-branching", "--gold", gold)
    assert "1 lost-word" in done.stderr
    assert cg.read(out).head.tolist() == [2, 0, 2, 3]
    same = tmp_path / "same.conllu"
    run("convert", gold, same, "--repair", "open", "--quiet")
    assert same.read_bytes() == gold.read_bytes()


def test_check_classes_the_defects(files):
    done = run("check", files[1])
    assert done.returncode == 2
    assert "mends: 2 fence, 1 prose, 1 columns, 1 cycle, 1 no-root\n" in done.stdout


def test_triples_are_read_with_and_without_numbers(files):
    gold = cg.read(files[0])
    numbered = '[["ROOT-0","root","saw-2"],["saw-2","nsubj","Tom-1"],["saw-2","obj","it-3"]'
    plain = (
        '{"triples": [["root", "root", "saw"], ["saw", "nsubj", "Tom"], ["saw", "obj", "it"],'
        ' ["saw", "punct", "."]]}'
    )
    cut = cg.repair_bytes(numbered.encode(), "open", gold=gold)
    assert cut.counts == {"json": 1, "lost-word": 1}
    assert cut.corpus().head.tolist() == [2, 0, 2, -1]
    assert cg.repair_bytes(plain.encode(), "open", gold=gold).corpus().head.tolist() == [2, 0, 2, 2]


def test_words_of_json_and_of_a_table_are_read():
    words = [
        {"id": 1, "form": "Tom", "head": 2, "deprel": "nsubj"},
        {"id": 2, "form": "slept", "head": 0, "deprel": "root"},
    ]
    table = "| ID | FORM | HEAD | DEPREL |\n|---|---|---|---|\n| 1 | Tom | 2 | nsubj |\n| 2 | slept | 0 | root |\n"
    for text in (json.dumps(words), json.dumps({"sentences": [{"tokens": words}]}), table):
        made = cg.repair_bytes(text.encode(), "right-branching").corpus()
        assert (made.form.tolist(), made.head.tolist()) == (["Tom", "slept"], [2, 0])


def test_brackets_are_closed_and_get_their_words():
    gold = cg.read_text("(S (NP (NNP Tom)) (VP (VBD saw) (NP (PRP it))) (. .))\n(S (UH Oh))\n")
    written = "Sure:\n(S (NP (NNP Tom)) (VP (VBD saw) (NP (PRP them))\n(S (UH Oh)))\n"
    made = cg.repair_bytes(written.encode(), "open", gold=gold)
    kinds = {"prose": 1, "lost-word": 1, "changed-word": 1, "open-bracket": 1, "closing-bracket": 1}
    assert made.counts == kinds
    assert made.corpus().words.strings("form") == gold.words.strings("form")


def test_what_is_no_tree_at_all_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("I cannot parse this sentence.\n")
    done = run("convert", path, tmp_path / "b.conllu", "--repair", "open")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no tree that can be read" in done.stderr
