"""Results in files: one document for each, written and read here for all verbs.

A document is the JSON of one kind of result, with its `kind`; beside its fields stand the `request`
and the `command` that it was made by, the `verdict` on several systems and, where these were
tested, the `claims`. It has the counts of every sentence, so that whatever follows from counts
(tests, intervals, tables, reports) can be done without the treebanks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

import msgspec

import commonground.evaluation.read_options  # noqa: F401  # signatures leave its defaults out
from commonground.dispatch import perform
from commonground.errors import InputError, setting, utf8
from commonground.evaluation.decoding import decoded
from commonground.evaluation.earlier_files import upgraded
from commonground.evaluation.request import Request
from commonground.evaluation.result import MEMORY, Origin, Result, find_kind
from commonground.formats.storage.files import read_bytes, shown, write_bytes
from commonground.streamed_json import json_parts

__all__ = ["document", "has_kind", "read_json", "read_result", "result_of", "write_result"]

Json = Mapping[str, Any]


def write_result(result: Result, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a result to a file, from which :func:`read_result` reads it back.

    `options` are those of its JSON: of an evaluation, ``scores=True`` adds those of each sentence.
    """
    parts = json_parts(document(result, **options))
    write_bytes(path, (part.encode("utf-8", "backslashreplace") for part in parts))


def document(result: Result, **options: Any) -> dict[str, Any]:
    """Return a result as a file has it, with what is long in parts.

    >>> from commonground import evaluate
    >>> made = document(evaluate("example:ud", "example:ud-parse", metrics=["las"]))
    >>> list(made)
    ['kind', 'signature', 'systems', 'tests']
    """
    origin, claims = result.origin, result.saved_claims
    data = result.json_in_parts(**options)
    if verdict := perform("verdict", result):
        data = {"verdict": verdict.to_json(), **data}
    if origin.request is not None:
        data = {"command": origin.command, "request": origin.request.to_json(), **data}
    if claims is None:
        return data
    tested = {"signature": result.whole_signature, "tests": claims.tests_json()}
    if claims.across:
        tested["tests_across_files"] = claims.across.tests_json()
    return {**data, **tested, "claims": claims.to_json()}


def read_result(path: str | os.PathLike[str]) -> Result:
    """Read a result that a verb wrote with ``--output-format json``, or :func:`write_result`.

    It is of the class that was written: an ``Evaluation``, a ``CompareResult``, ``Claims`` and so
    on; `request` tells what was asked for. The file may be compressed, ``-`` is standard input.
    """
    return result_of(read_json(path), shown(path))


class _Document(msgspec.Struct, frozen=True):
    """What stands beside the fields of a result."""

    command: str = ""
    request: Request | None = None
    claims: dict[str, Any] | None = None
    signature: str = ""


def result_of(data: Json, path: str) -> Result:
    """Return the result that the JSON of a file holds; `path` is that file."""
    data = upgraded(data, path)
    kind = find_kind(data, path)
    beside = decoded(data, _Document, path)
    more: dict[str, Any] = {}
    if beside.claims is not None and "claims" in kind.__dataclass_fields__:
        claims: Any = find_kind({"kind": "claims"}).from_json(beside.claims, path)
        more["claims"] = claims
        own = beside.signature.removesuffix(claims.signature).removesuffix("|")
        data = {**data, "signature": own}
    origin = Origin(path, beside.request, beside.command)
    return replace(kind.from_json(data, path), origin=origin, **more)


def has_kind(data: Json) -> bool:
    """Tell whether JSON says that it is a result of some kind, or of a verb that makes one.

    Other verbs write tables and facts, which no class is there for.
    """
    from commonground import RESULTS  # noqa: PLC0415  # which names all kinds of results

    request, kind = data.get("request"), upgraded(data, MEMORY).get("kind")
    verb = request.get("verb") if isinstance(request, Mapping) else None
    return verb in ("evaluate", "compare") or (isinstance(kind, str) and kind in RESULTS)


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file with a JSON object, which is what results of all verbs are."""
    name = shown(path)
    data = _parsed(read_bytes(path), name)
    if not isinstance(data, dict):
        raise InputError(name, 0, "this is not a result: it is not a JSON object, {…}")
    return data


def _parsed(content: bytes, path: str) -> Any:
    try:
        return json.loads(utf8(content, path), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        if not content.lstrip().startswith(b"{"):  # no damaged result, but another kind of file
            message = (
                "not a saved result; evaluate, compare and others write one with "
                f"{setting('output_format', 'json')}"
            )
        raise InputError(path, error.lineno, message) from error
    except (RecursionError, ValueError) as error:  # too deep, or a number of too many digits
        raise InputError(path, 0, "this JSON is not a result") from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)
