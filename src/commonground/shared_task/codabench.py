"""A task as a bundle for Codabench, and the program that scores submissions there.

A bundle is a zip archive with ``competition.yaml``, pages, the reference data (``task.toml`` and
the gold standards), the scoring program and the starter kit. The scoring program finds the
reference data in ``input/ref`` and a submission in ``input/res``; it writes ``scores.json``, whose
keys are those of the columns, and ``detailed_results.html``, which tells a team its scores on each
treebank and what happened to its files, but nothing of the gold standard.

From: https://docs.codabench.org (Yaml Structure, Competition Bundle Structure).
"""

from __future__ import annotations

import json
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from commonground import __version__
from commonground.errors import CommonGroundError
from commonground.evaluation.reasons import all_reasons
from commonground.evaluation.saved import write_result
from commonground.evaluation.scores import Evaluation
from commonground.formats.storage.files import write_bytes
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.metrics.registry import find_metrics
from commonground.report.page.page import page
from commonground.report.page.sections import Chapter, ReportPage, Section, TableBlock, Text
from commonground.report.views.evaluation import score_grid
from commonground.report.views.leaderboard import reason_grid
from commonground.shared_task.scoring import score_files
from commonground.shared_task.starter_kit import evaluation_text, overview_text
from commonground.shared_task.submission import copy_submission
from commonground.shared_task.task_file import TASK_FILE, Task, read_task, task_text

__all__ = ["bundle", "main", "zipped"]

TEAM = "submission"
_MOST_COLUMNS = 30


def bundle(task: Task, *, start: str = "2026-01-01", wheel: str = "") -> bytes:
    """Return the bundle of a task, byte for byte the same for the same files.

    `start` is the day on which the only phase begins; a `wheel` of this package is installed by the
    scoring program where the image does not have it.
    """
    program = [("metadata.yaml", _METADATA.encode()), ("score.py", _SCORE.encode())]
    if wheel:
        program.append((Path(wheel).name, Path(wheel).read_bytes()))
    gold = sorted(task.path(task.gold).iterdir())
    reference = [
        (TASK_FILE, task_text(task, {}).encode()),
        *([(task.evalb_prm, task.path(task.evalb_prm).read_bytes())] if task.evalb_prm else []),
        *((f"{task.gold}/{file.name}", file.read_bytes()) for file in gold if file.is_file()),
    ]
    kit = task.path("starter-kit")
    files = [
        (file.relative_to(kit).as_posix(), file.read_bytes())
        for file in sorted(kit.rglob("*"))
        if file.is_file()
    ]
    baseline = [
        (name.partition("/")[2], data) for name, data in files if name.startswith("baseline/")
    ]
    pages = {"overview": overview_text(task), "evaluation": evaluation_text(task), "terms": _TERMS}
    return zipped(
        [
            ("competition.yaml", _yaml(_competition(task, start)).encode()),
            ("logo.png", _logo()),
            *((f"{name}.md", text.encode()) for name, text in pages.items()),
            ("reference_data.zip", zipped(reference)),
            ("scoring_program.zip", zipped(program)),
            ("starting_kit.zip", zipped(files)),
            *([("baseline.zip", zipped(baseline))] if baseline else []),
        ]
    )


def zipped(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return a zip archive of files; the same files make the same bytes."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name)  # of 1980, so that the time does not matter
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return written.getvalue()


def _competition(task: Task, start: str) -> dict[str, object]:
    has_baseline = any(task.path("starter-kit/baseline").glob("*"))
    return {
        "version": 2,
        "title": task.title,
        "description": task.title,
        "image": "logo.png",
        "terms": "terms.md",
        "docker_image": "python:3.12",
        "enable_detailed_results": True,
        "pages": [
            {"title": "Overview", "file": "overview.md"},
            {"title": "Evaluation", "file": "evaluation.md"},
        ],
        "tasks": [
            {
                "index": 0,
                "name": task.title,
                "description": task.title,
                "reference_data": "reference_data.zip",
                "scoring_program": "scoring_program.zip",
            }
        ],
        **(
            {"solutions": [{"index": 0, "path": "baseline.zip", "tasks": [0]}]}
            if has_baseline
            else {}
        ),
        "phases": [
            {
                "index": 0,
                "name": "Test",
                "description": "Send the parses of all test sets.",
                "start": start,
                "accepts_only_result_submissions": True,
                "starting_kit": "starting_kit.zip",
                "tasks": [0],
            }
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "main",
                "submission_rule": "Force_Best" if task.rules.counts == "best" else "Force_Last",
                "columns": list(_columns(task)),
            }
        ],
    }


def _metrics(task: Task) -> list[Metric]:
    """Return the metrics of a task, the one that ranks first."""
    kind = "constituents" if _constituents(task) else "dependencies"
    found = find_metrics(kind, task.metrics)
    main = resolved(task.rank_by, found)
    return sorted(found, key=lambda metric: metric.name != main)


def _constituents(task: Task) -> bool:
    return not any(task.path(task.gold).glob("*.conllu*"))


def _columns(task: Task) -> Iterator[dict[str, object]]:
    metrics = _metrics(task)
    titles = [(metric.name, metric.title, metric) for metric in metrics]
    main = metrics[0]
    if 1 < len(task.treebanks) <= _MOST_COLUMNS:
        titles += [(f"{main.name}_{name}", f"{main.title} {name}", main) for name in task.treebanks]
    for index, (key, title, metric) in enumerate(titles):
        yield {
            "title": title,
            "key": key,
            "index": index,
            "sorting": "desc" if metric.higher_is_better else "asc",
            "precision": 2,
        }


_METADATA = "command: python3 score.py /app/input /app/output\n"

_SCORE = f'''"""Scores a submission: python3 score.py INPUT OUTPUT."""

import subprocess
import sys
from pathlib import Path

try:
    import commonground
except ImportError:
    wheels = [str(file) for file in Path(__file__).parent.glob("commonground-*.whl")]
    wanted = wheels or ["commonground=={__version__}"]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], check=True)

from commonground.shared_task.codabench import main

sys.exit(main(sys.argv[1:]))
'''

_TERMS = """# Terms

The organisers may publish the names of teams and the scores of their submissions.
"""


def _yaml(value: object, indent: str = "") -> str:
    """Return plain values as YAML: tables and lists in lines, all else as JSON, which YAML reads.

    >>> print(_yaml({"a": [{"b": 1}, {"b": "x: y"}], "c": True}), end="")
    a:
      - b: 1
      - b: "x: y"
    c: true
    """
    lines = []
    assert isinstance(value, dict), "only tables have lines"
    for key, each in value.items():
        if isinstance(each, list) and each and isinstance(each[0], dict):
            lines.append(f"{indent}{key}:\n")
            for item in each:
                block = _yaml(item, indent + "    ")
                lines.append(f"{indent}  - {block[len(indent) + 4 :]}")
        else:
            lines.append(f"{indent}{key}: {json.dumps(each, ensure_ascii=False)}\n")
    return "".join(lines)


def _logo() -> bytes:
    """Return a small picture, as every competition needs one: a white arc on blue."""
    size = 96
    rows = []
    for y in range(size):
        row = b"\0"
        for x in range(size):
            radius = ((x - 48) ** 2 + (y - 66) ** 2) ** 0.5
            arc = (y <= 66 and 28 <= radius <= 34) or (66 < y < 70 and abs(abs(x - 48) - 31) < 9)
            row += b"\xff\xff\xff" if arc else b"\x1f\x4e\x79"
        rows.append(row)

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(rows), 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


# ── scoring ──────────────────────────────────────────────────────────────────────────────────────


def main(arguments: Sequence[str]) -> int:
    """Score what is in INPUT/res by what is in INPUT/ref, and write into OUTPUT."""
    if len(arguments) != 2:
        sys.stderr.write("usage: score.py INPUT OUTPUT\n")
        return 2
    source, target = map(Path, arguments)
    target.mkdir(parents=True, exist_ok=True)
    try:
        task = read_task(source / "ref")
        result = score_files(task, str(_one_folder(source / "res", target)), TEAM)
    except CommonGroundError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    scores = json.dumps(codabench_scores(task, result), indent=2)
    write_bytes(target / "scores.json", [scores.encode()])
    details = page(ReportPage(task.title, (_details(task, result),)))
    write_bytes(target / "detailed_results.html", [details.encode("utf-8", "backslashreplace")])
    write_result(replace(result, origin=type(result.origin)()), target / "result.json")
    return 0


def _one_folder(folder: Path, target: Path) -> Path:
    """Return where the files of a submission are: in the folder, or in the only one in it."""
    there = [each for each in folder.iterdir() if not each.name.startswith((".", "__MACOSX"))]
    if len(there) == 1 and there[0].is_dir():
        return there[0]
    archives = [each for each in there if each.suffix == ".zip"]
    if len(there) == 1 and archives:
        copy_submission(str(archives[0]), target / "files")
        return target / "files"
    return folder


def codabench_scores(task: Task, result: Evaluation) -> dict[str, float]:
    """Return the scores of a submission by the keys of the columns, shares in per cent."""
    main_metric = result.systems[0][task.rank_by].metric
    scores = {name: _number(result.macro(TEAM, name), score.metric)
              for name, score in result.systems[0].scores.items()}  # fmt: skip
    if 1 < len(task.treebanks) <= _MOST_COLUMNS:
        scores |= {
            f"{main_metric.name}_{name}": _number(
                result.pairs[name].system(TEAM)[main_metric.name].value, main_metric
            )
            for name in task.treebanks
        }
    return scores


def _number(value: float | None, metric: Metric) -> float:
    return 0.0 if value is None else metric.scale * value


def _details(task: Task, result: Evaluation) -> Chapter:
    grid = replace(score_grid(result), title="Scores (shares in per cent)", signature="")
    sections = [Section("Scores", (TableBlock(grid),))]
    if found := all_reasons(result):
        told = Text("These points were not lost to wrong trees.")
        sections.append(Section("What happened", (told, TableBlock(reason_grid(found)))))
    return Chapter(task.title, tuple(sections), signature=result.signature)
