"""What organisers and participants read, and the files that participants get."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from commonground.shared_task.task_file import TASK_FILE, Task, task_text

__all__ = ["evaluation_text", "kit_files", "organiser_readme", "overview_text"]


def kit_files(task: Task, place: Path) -> Iterator[tuple[str, bytes]]:
    """Return the files of the starter kit besides the baseline; none of them is a gold standard."""
    public = msgspec.structs.replace(task, gold="gold")
    yield TASK_FILE, task_text(public, {"gold": "not in this kit"}).encode()
    yield "README.md", _kit_readme(task).encode()
    if task.evalb_prm:
        yield task.evalb_prm, (place / task.evalb_prm).read_bytes()
    for name in ("train", "dev", "input"):
        for file in sorted((place / "data" / name).iterdir()):
            yield f"data/{name}/{file.name}", file.read_bytes()


def organiser_readme(task: Task) -> str:
    """Return what the organisers of a task do with its folder."""
    return f"""# {task.title}

`task.toml` has the rules: metrics, treebanks, and what happens to broken submissions. Change it
before the first submission, not after.

- `starter-kit/` is what participants get: data, the baseline's output, and how to check a
  submission. It has no gold standard of the test sets.
- `gold/` is secret.
- `commonground task score SUBMISSION --team NAME` scores a folder or a zip archive.
- `commonground task board -o board/` writes the board, with a page for each team.
- `commonground task bundle -o {_plain(task)}-codabench.zip` writes the same task for Codabench.
- `commonground task archive -o {_plain(task)}-results.zip` keeps submissions, results and
  signatures, so that everybody can make the board again.
"""


def _kit_readme(task: Task) -> str:
    first = f"{task.treebanks[0]}.conllu"
    treebanks = "\n".join(f"- `{name}.conllu`" for name in task.treebanks)
    return f"""# {task.title}: starter kit

Train on `data/train`, choose by `data/dev`, and parse `data/input`, which has words and no trees.
A submission is a folder, or a zip archive, with one file for each treebank:

{treebanks}

`baseline/` is such a submission. Check yours before you send it; this says in one screen whether
it will be scored, and why not:

```
commonground task check my-submission
```

A baseline of your own, for each treebank:

```
commonground train data/train/{first} -o model
commonground parse model data/input/{first} my-submission/{first}
```

{evaluation_text(task)}"""


def overview_text(task: Task) -> str:
    """Return what the task is about, in Markdown."""
    count = len(task.treebanks)
    return (
        f"# {task.title}\n\n{count} treebank{'s' * (count != 1)}: {', '.join(task.treebanks)}. "
        "The starter kit has the data, a baseline and a checker of submissions.\n"
    )


_WRONG = {
    "zero": "count as wrong",
    "skip": "are left out",
    "fail": "make the whole file unusable",
    "realign": "are aligned by the characters of the text",
    None: "are treated as by the program whose scores are repeated",
}
_BROKEN = {
    "zero": "A file that cannot be scored, or is missing, is worth 0.",
    "skip": "A team with a file that cannot be scored is left out.",
    "fail": "A submission with a file that cannot be scored is refused.",
}


def evaluation_text(task: Task) -> str:
    """Return how submissions are scored, in Markdown."""
    like = f", as `{task.preset}` scores them" if task.preset else ""
    source = f" {task.source}." if task.source else ""
    return (
        f"## Evaluation\n\nMetrics: {', '.join(task.metrics)}{like}; teams are ranked by "
        f"{task.rank_by}, averaged over treebanks.{source} Sentences that are missing or have "
        f"other words {_WRONG[task.rules.on_mismatch]}. {_BROKEN[task.rules.on_error]} The "
        f"{task.rules.counts} submission of a team counts. Teams that do not differ significantly "
        f"({task.rules.test} test) share ranks.\n"
    )


def _plain(task: Task) -> str:
    return Path(task.folder).name or "task"
