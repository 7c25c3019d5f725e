"""The scores of known tasks are those that their own scripts print.

The numbers are the output of the official programs (conll17_ud_eval.py 1.0, conll18_ud_eval.py 1.2,
iwpt20_xud_eval.py of 2020, msp_25_eval.py 1.3, the global scores of
parseme_evaluate.py of 2025, evalb_spmrl of 2013 with its spmrl.prm) on the example, which the test
writes as they were given it.
"""

from __future__ import annotations

import json

import pytest
from command import run

import commonground as cg
from commonground.corpus import Dependencies
from commonground.formats import write_text
from commonground.shared_task import read_task
from commonground.shared_task.codabench import bundle
from commonground.shared_task.scoring import score_files
from commonground.shared_task.task_file import find_preset, preset_names

PRINTED = {
    "conll17": {"uas": "97.95", "las": "94.81"},
    "conll18": {"uas": "97.95", "las": "94.81", "clas": "90.79", "mlas": "90.79", "blex": "90.79"},
    "iwpt20": {"uas": "97.91", "las": "94.72", "elas": "83.39", "eulas": "90.63"},
    "msp25": {"mslas": "58.88", "ms_las": "87.10", "ms_feats": "65.12"},
    "parseme": {"mwe": "66.67", "mwe_tokens": "76.94"},
    "spmrl14": {
        "f1": "99.12",
        "recall": "98.40",
        "precision": "99.85",
        "exact": "84.38",
        "tags": "100.00",
    },
}


def sides(name):
    """Return gold standard and parse, as they were given to the program of a task."""
    if name == "spmrl14":
        trees = [
            cg.strip(cg.read(f"example:{each}"), ["traces", "functions"])
            for each in ("ptb", "ptb-parse")
        ]
        return [
            write_text(each, "brackets").replace("\n( ", "\n(TOP ").replace("( ", "(TOP ", 1)
            for each in trees
        ]
    both = [cg.read(f"example:{each}") for each in ("ud", "ud-parse")]
    if name == "parseme":
        return [with_expressions(each, step) for each, step in zip(both, (4, 5), strict=True)]
    if name == "msp25":
        return [morphosyntactic(each, step) for each, step in zip(both, (2, 3), strict=True)]
    if name == "iwpt20":  # its program refuses empty nodes
        whole = [not len(sentence.column("form", "empties")) for sentence in both[0]]
        gold, parse = (each[whole] for each in both)
        arcs = zip(parse.head.tolist(), parse.deprel, strict=True)
        both = [
            gold,
            parse.replace("words", deps=cg.Strings.of(f"{h}:{label}" for h, label in arcs)),
        ]
    return [write_text(each, "conllu") for each in both]


FUNCTION = {"aux", "cop", "mark", "det", "case", "cc", "punct"}


def with_expressions(corpus, step):
    """Return a treebank with multiword expressions, some of which overlap."""
    codes = []
    for place in (corpus.words.row_in_sentence()).tolist():
        inside = [1] * (place % step in (1, 3)) + [2] * (place % 5 == 2) + [3] * (3 < place < 7)
        codes.append(";".join(f"{number}:VID" for number in inside) or "*")
    words = corpus.words.replace(**{"PARSEME:MWE": cg.Strings.of(codes)})
    return write_text(Dependencies({"words": words}), "conllup")


def morphosyntactic(corpus, step):
    """Return a treebank whose function words are no nodes, with abstract nodes and other features.

    Every so many sentences have an abstract node, every so many words lose a feature.
    """
    changed = []
    for number, block in enumerate(write_text(corpus, "conllu").strip().split("\n\n")):
        rows = [line.split("\t") for line in block.split("\n")]
        rows = [row for row in rows if row[0].isdigit()]
        heads = {row[6] for row in rows}
        for place, row in enumerate(rows):
            features = row[5].split("|")[place % step == 1 :]
            row[5] = "|".join(features) if features != ["_"] else ""
            row[5] = row[5] or "|"
            if row[7].partition(":")[0] in FUNCTION and row[0] not in heads:
                row[5:8] = "___"
        if number % step == 0 and len(rows) > 5:
            feats = f"Number=Sing|Person={1 + (number + step) % 3}"
            rows.insert(4, ["4.1", "_", "_", "_", "_", feats, rows[0][0], "nsubj", "_", "_"])
        changed.append("\n".join("\t".join(row) for row in rows) + "\n\n")
    return "".join(changed)


@pytest.mark.parametrize("name", preset_names())
def test_a_known_task_has_the_digits_of_its_own_script(name, tmp_path):
    for folder, text in zip(("gold", "mine"), sides(name), strict=True):
        (tmp_path / folder).mkdir()
        suffix = {"spmrl14": ".mrg", "parseme": ".cupt"}.get(name, ".conllu")
        (tmp_path / folder / f"x{suffix}").write_text(text, encoding="utf-8")
    task = find_preset(name)
    result = score_files(task, str(tmp_path / "mine"), "mine", gold=str(tmp_path / "gold"))
    assert {
        metric: f"{100 * result.macro('mine', metric):.2f}" for metric in PRINTED[name]
    } == PRINTED[name]
    assert task.verified


def test_a_task_of_morphosyntactic_trees_is_made_of_partial_trees(tmp_path):
    file = tmp_path / "x.conllu"
    file.write_text(sides("msp25")[0], encoding="utf-8")
    folder = str(tmp_path / "task")
    words = ["--preset", "msp25", "--treebank", "en", *[str(file)] * 3, "-q"]
    done = run("task", "new", folder, *words)
    assert done.returncode == 0, done.stderr
    done = run("task", "check", str(tmp_path / "task/gold"), "--task", folder)
    assert done.returncode == 0, done.stdout
    done = run("task", "score", f"{folder}/gold", "--team", "us", "--task", folder)
    assert "100.00" in done.stdout


@pytest.mark.long
def test_a_task_of_constituents_has_a_kit_and_a_bundle_too(tmp_path):
    whole = cg.strip(cg.read("example:ptb"), ["traces"])
    files = []
    for name, part in (("a", whole[:40]), ("b", whole[40:50]), ("c", whole[50:])):
        files.append(str(tmp_path / f"{name}.mrg"))
        cg.write(part, files[-1])
    folder = str(tmp_path / "task")
    words = ["task", "new", folder, "--preset", "spmrl14", "--treebank", "en", *files, "-q"]
    assert run(*words).returncode == 0
    done = run(
        "task",
        "check",
        f"{folder}/starter-kit/baseline",
        "--task",
        f"{folder}/starter-kit",
        "--output-format",
        "json",
    )
    assert json.loads(done.stdout)["scored"]
    assert bundle(read_task(folder))
