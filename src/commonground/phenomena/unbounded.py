r"""The unbounded dependencies of Rimell, Clark & Steedman (2009), as a gold standard of phenomena.

A sentence a line, and below it its dependencies, ``dobj submit_12 need_4``: the label of the
Stanford scheme, the head and the dependent, positions from 0; a blank line after each sentence. A
further line before the dependencies, such as an id, is passed over. The construction is told by the
name of the file, such as ``test.obj_extract_red_rel``, or by a line ``# construction =
obj_extract_red_rel`` before a sentence. The labels become the types of targets:
subjects are ARG1, objects (of prepositions as well, and passive subjects) ARG2, prepositions,
auxiliaries, copulas and complementisers PREP, AUX, COP and COMPLM, others MOD.

>>> text = "# construction = obj_qus\nWhat did he say ?\ndobj say_3 What_0\n"
>>> gold = read_unbounded(text, "q.txt")
>>> [(target.phenomenon, target.dependency) for target in gold.targets]
[('obj_qus', 'say-3 ARG2 What-0')]
"""

from __future__ import annotations

import re
from pathlib import PurePath

from commonground.errors import InputError, quoted
from commonground.phenomena.gold import Gold, Target, Word, gold_of
from commonground.phenomena.kinds import UNBOUNDED

__all__ = ["looks_unbounded", "read_unbounded"]

_ALSO = {"free_rels": "obj_free_rels", "rnr": "right_node_raising"}
_DEPENDENCY = re.compile(r"([a-z][\w:]*)[ \t]+(\S+)_([0-9]{1,9})[ \t]+(\S+)_([0-9]{1,9})")
_CONSTRUCTION = re.compile(r"#\s*construction\s*=\s*(\S+)")
_TYPES = {
    "nsubj": "ARG1", "csubj": "ARG1", "xsubj": "ARG1", "subj": "ARG1", "agent": "ARG1",
    "nsubjpass": "ARG2", "dobj": "ARG2", "pobj": "ARG2", "obj": "ARG2", "iobj": "ARG3",
    "obj2": "ARG2", "cobj": "ARG2", "ccomp": "ARG2", "xcomp": "ARG2", "pcomp": "ARG2",
    "prep": "PREP", "aux": "AUX", "auxpass": "AUX", "cop": "COP", "complm": "COMPLM",
    "mark": "COMPLM",
}  # fmt: skip


def looks_unbounded(text: str) -> bool:
    """Tell whether a text has unbounded dependencies, and not the four columns of targets."""
    lines = [line for line in text.split("\n")[:200] if line.strip() and line[0] != "#"]
    return any(map(_DEPENDENCY.fullmatch, map(str.strip, lines))) and not any(
        line.count("\t") == 3 for line in lines
    )


def read_unbounded(text: str, path: str) -> Gold:
    """Read sentences with their unbounded dependencies; `path` is for messages."""
    construction = _named(PurePath(path).name)
    targets: list[Target] = []
    sentences: dict[str, str] = {}
    heading: list[str] = []
    item = ""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content:
            item, heading = "", []
        elif match := _CONSTRUCTION.match(content):
            construction = match[1]
        elif not item and len(heading) < 2 and not _DEPENDENCY.fullmatch(content):
            heading.append(content)
        elif not heading:
            raise InputError(path, number, "a sentence is expected before its dependencies")
        else:
            if not item:
                item = str(len(sentences) + 1)
                sentences[item] = max(heading, key=lambda each: len(each.split()))
            targets.append(_target(content, item, construction, path, number))
    if not targets:
        raise InputError(path, 0, "it has no dependencies such as dobj submit_12 need_4")
    return gold_of(path, targets, sentences)


def _target(text: str, item: str, construction: str, path: str, line: int) -> Target:
    match = _DEPENDENCY.fullmatch(text)
    if not match:
        expected = "a dependency such as dobj submit_12 need_4, or a blank line, is expected"
        raise InputError(path, line, f"{quoted(text)}; {expected}")
    label, head, at, dependent, behind = match.groups()
    kind = label.replace(":", "")
    return Target(
        item,
        construction,
        positive=True,
        heads=(Word(head, int(at)),),
        type=_TYPES.get(kind, "MOD"),
        dependents=(Word(dependent, int(behind)),),
        line=line,
        kind=kind,
    )


def _named(name: str) -> str:
    """Return the construction that the name of a file tells.

    >>> _named("test.obj_extract_red_rel"), _named("some.txt")
    ('obj_extract_red_rel', 'unbounded')
    """
    for known in UNBOUNDED:
        if known in name:
            return known
    return next((known for part, known in _ALSO.items() if part in name), "unbounded")
