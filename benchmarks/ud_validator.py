"""How much of what the UD validator finds ``check`` finds, on its own test cases and on treebanks.

    python benchmarks/ud_validator.py TEST-CASES [TREEBANK…]

TEST-CASES is ``udtools/tests/test-cases`` of https://github.com/UniversalDependencies/tools. For
each folder the files with a problem are counted, and those where a rule of the validator of level 1
or 2 has no problem on the same line; for treebanks, what only one of the two finds.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from udtools.state import State
from udtools.validator import Validator

import commonground

LEVELS = {"invalid-level1": 1, "invalid-level2": 2, "invalid-level3": 3, "invalid-level4-5": 5}


def main(cases: str, *treebanks: str) -> None:
    """Print the counts."""
    for folder, level in [*LEVELS.items(), ("valid", 1), ("valid", 2), ("valid", 3)]:
        files = sorted((Path(cases) / folder).glob("*.conllu"))
        lang = {path: path.name.partition("_")[0] if level > 3 else "" for path in files}
        results = [commonground.check(path, ud=level, lang=lang[path]) for path in files]
        print(f"{folder}, level {level}: {sum(bool(f.problems) for f in results)} of {len(files)}")
        for path, checked in zip(files, results, strict=True):
            rules = {problem.rule for problem in checked.problems if problem.rule}
            missing = {rule for _, rule in official(path, min(level, 2))} - rules
            if missing and folder != "valid":
                print(f"  {path.name}: {', '.join(sorted(missing))} under another name:")
                print(*(f"    {p.line}: {p.message}" for p in checked.problems), sep="\n")
    for path in map(Path, treebanks):
        begin = time.process_time()
        theirs = Counter(rule for _, rule in official(path, 2))
        middle = time.process_time()
        ours = Counter(problem.rule for problem in commonground.check(path, ud=2).problems)
        end = time.process_time()
        print(f"{path.name}: {middle - begin:.2f} s, ours {end - middle:.2f} s")
        print("  only the validator:", dict(theirs - ours), "only check:", dict(ours - theirs))


def official(path: Path, level: int) -> list[tuple[int, str]]:
    """Return the lines and rules of the validator."""
    validator, state = Validator(lang="ud", level=level, output=None), State()
    with path.open(encoding="utf-8") as file:
        validator.validate_file_handle(file, state)
    return [(i.lineno, i.testid) for i in state.error_tracker if i.is_error()]


if __name__ == "__main__":
    main(*sys.argv[1:])
