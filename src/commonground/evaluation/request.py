"""One request: treebanks, options, and the digests of the files that were read.

The command line and the server make it, a result is saved with it, and whatever looks deeper into a
saved result reads it back. It is JSON with the names of the command line, so that a command can be
made of it again; what it does not know it refuses, and says where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec

from commonground.errors import UsageError
from commonground.evaluation.decoding import decoded, place_first
from commonground.evaluation.evaluation_plan import OnError
from commonground.evaluation.option_settings import SETTING_OPTIONS, settings_of
from commonground.formats.storage.files import STANDARD, digest
from commonground.metrics.settings import Mismatch, Punctuation, Settings

__all__ = ["Options", "Request"]

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Share = Annotated[float, msgspec.Meta(gt=0, lt=1)]
_Texts = tuple[str, ...]


class Options(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename="kebab",
):
    """What was asked for besides the treebanks; what was not asked for is None.

    The fields are options of the verbs whose results are saved, ``min_length`` is ``--min-length``.
    """

    # evaluate, and what other verbs share with it
    metrics: _Texts | None = None
    preset: str | None = None
    punctuation: Punctuation | None = None
    punctuation_tags: _Texts | None = None
    min_length: _Count | None = None
    max_length: _Count | None = None
    where: str | None = None
    subtypes: bool | None = None
    ignore_case: bool | None = None
    # compare
    labels: str | None = None
    label_map: _Texts | None = None
    equivalent_labels: str | None = None
    functions: _Texts | None = None
    function_nodes: _Texts | None = None
    enhanced: bool | None = None
    protocol: str | None = None
    costs: str | None = None
    subsets: str | None = None
    on_mismatch: Mismatch | None = None
    on_error: OnError | None = None
    explain_sentence: str | None = None
    explain_to: str | None = None
    relations: bool | None = None
    mean: bool | None = None
    conventions: bool | None = None
    gold_scheme: str | None = None
    attribution: str | None = None
    test_rows: bool | None = None
    rows: str | None = None
    # evaluate
    evalb_prm: str | None = None
    by: _Texts | None = None
    confusion: _Texts | None = None
    top: _Count | None = None
    sentences: bool | None = None
    style: str | None = None
    fail_under: _Texts | None = None
    rank_by: str | None = None
    train: str | None = None
    precision_recall: bool | None = None
    tables: _Texts | None = None
    explain: str | None = None
    # test
    force: bool | None = None
    runs: bool | None = None
    # agreement
    schemes: str | None = None
    from_: str | None = msgspec.field(default=None, name="from")
    label_pairs: bool | None = None
    by_column: bool | None = None
    alpha: bool | None = None
    # validate
    name: str | None = None
    system: _Texts | None = None
    parser: str | None = None
    samples: _Count | None = None
    words: _Count | None = None
    sample_sentences: _Count | None = None
    folds: _Count | None = None
    predicted_tags: bool | None = None
    set: _Texts | None = None
    # project
    one_to_many: str | None = None
    extra: str | None = None
    many_to_one: str | None = None
    unaligned_head: str | None = None
    unaligned: str | None = None
    crossing: str | None = None
    project_labels: bool | None = None
    copy: str | None = None
    repair: str | None = None
    max_fragments: _Count | None = None
    min_votes: _Count | None = None
    guide: _Texts | None = None
    guide_weight: float | None = None
    with_confidence: bool | None = None
    tags: str | None = None
    from_words: _Count | None = None
    all: bool | None = None
    report: bool | None = None
    # diff
    exit_code: bool | None = None
    # errors
    history: _Texts | None = None
    show: _Count | None = None
    patch: str | None = None
    sure: _Share | None = None
    page: str | None = None
    # search and overlap
    count: bool | None = None
    first: _Count | None = None
    sample: _Count | None = None
    save_as: str | None = None
    threshold: _Share | None = None
    # trial
    with_: _Texts | None = msgspec.field(default=None, name="with")
    trust: bool | None = None
    timing: bool | None = None
    annotate: _Count | None = None
    sheet: str | None = None
    annotated: str | None = None
    # phenomena score
    mapping: _Texts | None = None
    window: _Count | None = None
    targets: bool | None = None
    gold_trees: _Texts | None = None
    # tests and intervals
    test: _Texts | None = None
    iterations: Annotated[int, msgspec.Meta(ge=1)] | None = None
    confidence: _Share | None = None
    interval: str | None = None
    alternative: str | None = None
    correction: str | None = None
    resample: str | None = None
    power: bool | None = None
    # reading and writing
    format: str | None = None
    partial: bool | None = None
    output_format: str | None = None
    seed: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return options by their names on the command line.

        >>> Options.of({"preset": "conll18", "min-length": 5}).min_length
        5
        >>> Options.of({"min-length": "many"})
        Traceback (most recent call last):
        commonground.errors.UsageError: min-length: Expected `int | null`, got `str`
        """
        try:
            return msgspec.convert(given, cls)
        except msgspec.ValidationError as error:
            raise UsageError(place_first(error)) from error

    def settings(self, located: Callable[[str], str] = str) -> Settings:
        """Return the settings that the options stand for; see :func:`settings_of`.

        >>> Options(preset="conll18", min_length=5).settings().shortest
        5
        """
        return settings_of({name: getattr(self, name) for name in SETTING_OPTIONS}, located)


class Request(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a result was made of and how: enough to do it again, and to look deeper.

    The treebanks are those of ``evaluate`` (`gold` and `parses`), ``compare`` (`systems`: a gold
    standard and a parse each), ``phenomena score`` (`gold` and `outputs`), ``test`` (`results` or
    `runs`), ``agreement`` (`analyses`), ``validate`` (`training` and test sets), ``project``
    (`parallel`: source, target and links), ``diff`` (`versions`: old and new). Of parses
    that were made for the result and not kept, `parsed_by` says what made them, by the names of the
    systems. `inputs` are all files that were read, with their SHA-256.

    >>> request = Request.from_json({"verb": "evaluate", "gold": "g", "parses": {"p": "p.conllu"}})
    >>> list(request.treebanks())
    ['g', 'p.conllu']
    >>> Request.from_json({"options": {"colour": "red"}}, "r.json")
    Traceback (most recent call last):
    commonground.errors.InputError: r.json: request.options: Object contains unknown field `colour`
    """

    verb: str = ""
    gold: str | None = None
    parses: dict[str, str] | None = None
    systems: dict[str, tuple[str, str]] | None = None
    outputs: dict[str, str] | None = None
    results: dict[str, str] | None = None
    runs: dict[str, str] | None = None
    analyses: dict[str, str] | None = None
    training: dict[str, tuple[str, ...]] | None = None
    parallel: dict[str, str] | None = None
    versions: dict[str, str] | None = None
    parsed_by: dict[str, str] | None = None
    options: Options = Options()
    inputs: dict[str, str] = {}

    @classmethod
    def made(cls, files: Iterable[str], folder: str = "", **fields: Any) -> Self:
        """Return a request that has read `files`, in a `folder` if there is one.

        Standard input is not there a second time, and has no digest.
        """
        read = [path for path in dict.fromkeys(files) if path != STANDARD]
        return cls(inputs={path: digest(located(folder, path)) for path in read}, **fields)

    @classmethod
    def from_json(cls, data: Any, path: str = "") -> Self:
        """Read a request back; `path` is the file that it stands in."""
        return decoded(data, cls, path, "request")

    def to_json(self) -> dict[str, Any]:
        """Return the request as a result has it."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        options, inputs = data.pop("options", {}), data.pop("inputs", {})
        return {**data, "options": options, "inputs": inputs}

    def treebanks(self) -> Iterator[str]:
        """Return the treebanks that the request names: gold standards and parses."""
        if self.gold is not None:
            yield self.gold
        yield from (self.parses or {}).values()
        yield from (path for pair in (self.systems or {}).values() for path in pair)
        yield from (*(self.analyses or {}).values(), *(self.versions or {}).values())

    @property
    def whole(self) -> bool:
        """Whether the request says what files a result was made of."""
        evaluated = self.gold is not None and self.parses is not None
        others = (self.systems, self.analyses, self.versions)
        return bool(self.inputs) and (evaluated or any(each is not None for each in others))


def located(folder: str, name: str) -> str:
    """Return where a file is that a request calls by this name; examples are everywhere."""
    return str(Path(folder) / name) if folder and ":" not in name else name
