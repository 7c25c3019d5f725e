"""What a step can do: one function per kind, from files to files.

A kind of step takes its values (those named in `taken` are folders of other outcomes, or paths of
inputs) and writes into an empty folder: ``treebank.…``, ``model``, or ``result.json`` with
``grids.json``, the tables of the result. The functions are pure: the same values make the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.evaluation.signature import short_form
from commonground.grid import Cell, Column, Grid, Note

__all__ = ["KINDS", "Kind", "Values", "find_kind", "read_grids"]

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of step: what it does, its values, and which of them are taken from other steps.

    A change in what a kind makes of the same values raises its `version`.
    """

    name: str
    title: str
    make: Callable[[Values, Path], None]
    taken: tuple[str, ...]
    options: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    version: int = 1

    @property
    def values(self) -> tuple[str, ...]:
        """The names of all values."""
        return (*self.taken, *self.options)

    @property
    def required(self) -> tuple[str, ...]:
        """The values that must be given."""
        return tuple(name for name in self.taken if name not in self.optional)


def find_kind(name: str) -> Kind:
    """Return a kind of step by its name."""
    if name not in KINDS:
        raise UsageError(f"no step does {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]


# ── treebanks ────────────────────────────────────────────────────────────────────────────────────


def _treebank(source: Path) -> Any:
    """Return the treebank of an input, or of the folder of another outcome."""
    from commonground.formats.folders import read  # noqa: PLC0415  # steps import what they use

    if source.is_dir():
        kept = sorted(source.glob("treebank.*"))
        if kept:
            return read(str(kept[0]), partial=True)
    return read(str(source), partial=True)


def _keep(corpus: Any, folder: Path) -> None:
    from commonground.formats import write  # noqa: PLC0415

    suffix = {"dependencies": "conllu", "constituents": "mrg"}.get(corpus.kind, "txt")
    formats = {"conllu": "conllu", "mrg": "brackets"}
    write(corpus, folder / f"treebank.{suffix}", formats.get(suffix))


def _convert(values: Values, folder: Path) -> None:
    from commonground.schemes.to_dependencies import to_dependencies  # noqa: PLC0415

    trees = _treebank(values["of"])
    found, _ = to_dependencies(trees, values.get("rules", "collins"), values.get("scheme"))
    _keep(found, folder)


def _transformed(values: Values) -> tuple[Any, Any]:
    """Return trees in another scheme, and what was done to them."""
    from commonground.schemes.transform import transform  # noqa: PLC0415

    scheme, only = values.get("scheme", "ud"), values.get("only")
    options: dict[str, Any] = {"only": [only] if isinstance(only, str) else only} if only else {}
    return transform(_treebank(values["of"]), scheme, values["to"], **options)


def _transform(values: Values, folder: Path) -> None:
    _keep(_transformed(values)[0], folder)


def _count_changes(values: Values, folder: Path) -> None:
    """Keep how many constructions a transformation rewrites, and how."""
    from commonground.report.json_text import json_text  # noqa: PLC0415

    _, report = _transformed(values)
    data = report.to_json()
    (folder / "result.json").write_text(json_text(data), encoding="utf-8")
    rows = [
        [name, each["from"], each["to"], each["changed"]]
        for name, each in data["constructions"].items()
        if each["changed"]
    ]
    columns = ["construction", report.source, report.target, Column("changed", "right")]
    note = f"{report.heads:,} of {report.words:,} words have another head."
    _keep_grids([Grid.of("", columns, rows, [note])], folder)


def _projectivize(values: Values, folder: Path) -> None:
    from commonground.schemes.projectivity import projectivize  # noqa: PLC0415

    _keep(projectivize(_treebank(values["of"]), values.get("encoding", "baseline"))[0], folder)


def _align(values: Values, folder: Path) -> None:
    """Keep the word alignment of two treebanks."""
    from commonground.alignment import align  # noqa: PLC0415
    from commonground.formats import write  # noqa: PLC0415

    options = {name: values[name] for name in ("way", "aligner") if name in values}
    found = align(_treebank(values["source"]), _treebank(values["target"]), **options)
    write(found.links, folder / _LINKS)


_LINKS = "links.align"


def _project(values: Values, folder: Path) -> None:
    """Keep the projected trees that are complete enough, and how fragmented they are."""
    from commonground.formats import read  # noqa: PLC0415
    from commonground.projection import Filter, Policies, project  # noqa: PLC0415

    links = Path(values["links"])
    most = values.get("fragments", 3)
    found = project(
        _treebank(values["source"]),
        _treebank(values["target"]),
        read(str(links / _LINKS if links.is_dir() else links)),  # type: ignore[arg-type]  # checked there
        policies=Policies(**values.get("policies", {})),
        chosen=Filter(int(most) if most else None, int(values.get("words", 4))),
    )
    _keep(found.filtered, folder)
    _result(found, folder)


def _filter(values: Values, folder: Path) -> None:
    """Keep the partial trees that are complete enough."""
    from commonground.projection import Filter, kept  # noqa: PLC0415

    trees = _treebank(values["of"])
    chosen = Filter(int(values.get("fragments", 3)), int(values.get("words", 4)))
    _keep(trees.take(kept(trees, chosen)), folder)


def _delexicalise(values: Values, folder: Path) -> None:
    """Keep trees without their words."""
    from commonground.projection import delexicalise  # noqa: PLC0415

    _keep(delexicalise(_treebank(values["of"])), folder)


def _part(values: Values, folder: Path) -> None:
    """Keep the part for training or for testing: every n-th sentence, or the last share of them."""
    corpus = _treebank(values["of"])
    which, every, share = values.get("part", "train"), values.get("every"), values.get("share", 0.2)
    if which not in ("train", "test"):
        raise UsageError(f"the part is {which!r}; it can be train or test")
    import numpy as np  # noqa: PLC0415

    places = np.arange(len(corpus))
    if every:
        test = places % int(every) == int(values.get("fold", 0))
    else:
        test = places >= round((1 - float(share)) * len(corpus))
    longest = values.get("longest")
    kept = test if which == "test" else ~test
    if longest:
        kept &= corpus.tables["words"].lengths <= int(longest)
    if not kept.any():
        raise UsageError(f"no sentence is left for the part {which}")
    _keep(corpus.take(np.flatnonzero(kept)), folder)


def _realize(values: Values, folder: Path) -> None:
    """Keep trees with a node for each function, above what realizes it."""
    from commonground.formats import write  # noqa: PLC0415

    write(_treebank(values["of"]), folder / "treebank.rr", "rr")


def _label_unify(values: Values, folder: Path) -> None:
    """Add the labels of other analyses to the nodes of one: ⊔tl."""
    from commonground.formats import write  # noqa: PLC0415
    from commonground.ground import functions_of, label_unify  # noqa: PLC0415

    trees = [functions_of(_treebank(each)) for each in (values["of"], values["labels"])]
    write(label_unify(*trees), folder / "treebank.functions", "functions")


# ── parsers ──────────────────────────────────────────────────────────────────────────────────────


def _train(values: Values, folder: Path) -> None:
    from commonground.parsers.trained import train  # noqa: PLC0415

    dev = values.get("dev")
    found = train(
        _treebank(values["of"]),
        str(values.get("parser", "arc-eager")),
        dev=None if dev is None else _treebank(dev),
        gold_tags=bool(values.get("gold_tags", False)),
        encoding=str(values.get("encoding", "head")),
        seed=int(values.get("seed", 0)),
        settings=values.get("settings", {}),
        keep=False,  # a model that was cut short is not what the recipe asks for
    )
    found.save(folder / "model")


def _parse(values: Values, folder: Path) -> None:
    from commonground.parsers.trained import load_parser  # noqa: PLC0415

    _keep(load_parser(values["model"] / "model").parse(_treebank(values["of"])), folder)


def _cross_parse(values: Values, folder: Path) -> None:
    """Keep a treebank in which each fold was parsed by a model trained on the others."""
    from commonground.parsers.trained import cross_parse  # noqa: PLC0415

    found = cross_parse(
        _treebank(values["of"]),
        str(values.get("parser", "arc-eager")),
        folds=int(values.get("folds", 10)),
        gold_tags=bool(values.get("gold_tags", False)),
        encoding=str(values.get("encoding", "head")),
        seed=int(values.get("seed", 0)),
        settings=values.get("settings", {}),
    )
    _keep(found, folder)


def _flip(values: Values, folder: Path) -> None:
    from commonground.parsers.dmv.flips import PUBLISHED, ParameterFlips  # noqa: PLC0415
    from commonground.parsers.dmv.parser import read_dmv  # noqa: PLC0415
    from commonground.parsers.dmv.studies import flip_model, found_flips  # noqa: PLC0415

    model = read_dmv(values["model"] / "model")
    published, edges = values.get("published"), values.get("edges", [])
    if published:
        flips = PUBLISHED[published]
    elif edges:
        flips = ParameterFlips.parse(edges)
    else:
        flips = found_flips(model, _treebank(values["gold"]))
    text = values.get("of")
    known = set(model.grammar.tags)
    possible = [
        tuple(edge for edge in each if {edge.left, edge.right} <= known)
        for each in (flips.edges, flips.forbidden)
    ]
    turned = flip_model(model, ParameterFlips(*possible), _treebank(text) if text else None)
    (folder / "model").write_text(turned.text(), encoding="utf-8")


# ── results ──────────────────────────────────────────────────────────────────────────────────────


def _result(found: Any, folder: Path, request: Any = None, **shown: Any) -> None:
    """Keep a result: its JSON, with the request that it comes of, and its tables."""
    from commonground.report.json_text import json_text  # noqa: PLC0415

    data = {} if request is None else {"command": "", "request": request.to_json()}
    (folder / "result.json").write_text(json_text({**data, **found.to_json()}), encoding="utf-8")
    _keep_grids(found.grids(**shown), folder)


def _request(verb: str, values: Values, folder: Path, treebanks: Values) -> Any:
    """Return the request that a result comes of, so that a report can read the treebanks again.

    Files of the store are named as seen from the result, which will be two folders below it.
    """
    from commonground.evaluation.request import OPTION_NAMES, Options, Request  # noqa: PLC0415
    from commonground.formats.files import digest  # noqa: PLC0415
    from commonground.formats.folders import files_of  # noqa: PLC0415

    names: dict[str, str] = {}  # by path

    def named(path: Any) -> Any:
        if isinstance(path, Mapping):
            return {name: named(each) for name, each in path.items()}
        if isinstance(path, list):
            return tuple(map(named, path))
        kept = sorted(path.glob("treebank.*")) if path.is_dir() else []
        if kept:
            names[str(kept[0])] = f"../../{kept[0].relative_to(folder.parent).as_posix()}"
            return names[str(kept[0])]
        given = str(path) if ":" in str(path) else str(path.absolute())
        names.update({file: file for file in files_of(given)})
        return given

    fields = {key: named(value) for key, value in treebanks.items()}
    changes = {OPTION_NAMES.get(key, key): each for key, each in values.get("settings", {}).items()}
    asked: dict[str, Any] = {n: values[n] for n in ("protocol", "subsets", "labels") if n in values}
    asked |= {"metrics": tuple(values["metrics"])} if values.get("metrics") else {}
    given_options = {**asked, **changes}.items()
    options = Options.of({key.replace("_", "-"): each for key, each in given_options})
    inputs = {name: digest(path) for path, name in names.items()}
    return Request(verb=verb, options=options, inputs=inputs, **fields)


def _keep_grids(grids: Sequence[Grid], folder: Path) -> None:
    # What is usual is known here, where the result was made.
    short = [replace(grid, signature=short_form(grid.signature)) for grid in grids]
    text = json.dumps([asdict(grid) for grid in short], indent=1)
    (folder / "grids.json").write_text(text, encoding="utf-8")


def read_grids(folder: Path) -> list[Grid]:
    """Return the tables of a result."""
    found = json.loads((folder / "grids.json").read_text(encoding="utf-8"))
    return [
        Grid(
            grid["title"],
            tuple(Column(**column) for column in grid["columns"]),
            tuple(tuple(_cell(cell) for cell in row) for row in grid["rows"]),
            tuple(Note(**note) for note in grid["notes"]),
            grid["signature"],
        )
        for grid in found
    ]


def _cell(data: dict[str, Any]) -> Cell:
    interval = data.pop("interval", None)
    return Cell(**data, interval=None if interval is None else tuple(interval))


def _settings(values: Values) -> Any:
    from commonground.metrics.settings import Settings, preset  # noqa: PLC0415

    changes = dict(values.get("settings", {}))
    name = changes.pop("preset", None)
    try:
        return preset(name, **changes) if name else Settings(**changes)
    except TypeError as error:
        raise UsageError(f"settings: {error}") from error


def _tests(values: Values) -> dict[str, Any]:
    """Return the options of a test that the values ask for."""
    names = ("iterations", "correction", "alternative", "resample", "confidence", "seed")
    return {name: values[name] for name in names if name in values}


def _evaluate(values: Values, folder: Path) -> None:
    from commonground.evaluation.evaluate import evaluate  # noqa: PLC0415

    parses = {name: _treebank(path) for name, path in values["parses"].items()}
    found = evaluate(
        _treebank(values["gold"]),
        parses,
        metrics=tuple(values.get("metrics", ())),
        settings=_settings(values),
    )
    shown = {"claims": found.test(values["test"], **_tests(values))} if "test" in values else {}
    treebanks = {"gold": values["gold"], "parses": values["parses"]}
    _result(found, folder, _request("evaluate", values, folder, treebanks), **shown)


def _compare(values: Values, folder: Path) -> None:
    from commonground.evaluation.cross import compare  # noqa: PLC0415

    systems = {}
    for name, pair in values["systems"].items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise UsageError(f"the system {name} must be two steps: [gold, parse]")
        systems[name] = tuple(_treebank(path) for path in pair)
    options = {name: values[name] for name in ("protocol", "subsets", "labels") if name in values}
    found = compare(systems, settings=_settings(values), **options)
    layout = values.get("layout", "systems")
    if layout not in _LAYOUTS:
        raise UsageError(f"the layout is {layout!r}; it can be {' or '.join(_LAYOUTS)}")
    tested = "test" in values and layout == "systems"
    shown = {"claims": found.test(values["test"], **_tests(values))} if tested else {}
    request = _request("compare", values, folder, {"systems": values["systems"]})
    _result(found, folder, request, **shown)
    if layout == "experiments":
        from commonground.report.views.experiments import experiments_grid  # noqa: PLC0415

        laid_out = experiments_grid(found, values.get("test", ""), **_tests(values))
        rest = [grid for grid in found.grids() if grid.title.startswith("Overlap")]
        _keep_grids([laid_out, *rest], folder)


_LAYOUTS = ("systems", "experiments")
"""The tables of a comparison: those of the verb, or those of Tsarfaty et al. (2011)."""


def _validate(values: Values, folder: Path) -> None:
    from commonground.projection.validation import Training, validate  # noqa: PLC0415

    systems = {
        name: tuple(_treebank(path) for path in pair) for name, pair in values["systems"].items()
    }
    training = Training(
        str(values.get("parser", "arc-eager")),
        gold_tags=bool(values.get("gold_tags", True)),
        settings=values.get("settings", {}),
    )
    options = {
        name: values[name]
        for name in ("samples", "words", "sentences", "metrics", "seed")
        if name in values
    }
    _result(validate(systems, training=training, **options), folder)


def _runs(values: Values, folder: Path) -> None:
    """Keep the runs of several validations as one, and what is better than the baseline."""
    from commonground.projection.validation import Validation, together  # noqa: PLC0415

    files = [path / "result.json" for path in values["of"].values()]
    found = together([Validation.from_json(json.loads(f.read_text("utf-8"))) for f in files])
    names = values.get("names", {})
    found = replace(found, scores={names.get(n, n): each for n, each in found.scores.items()})
    _result(found, folder)
    if "baseline" in values:
        kept = folder / "result.json"
        data = json.loads(kept.read_text("utf-8"))
        better = {metric: found.better(metric, values["baseline"]) for metric in found.metrics}
        for system in data["systems"]:
            for metric, described in system["metrics"].items():
                described["better"] = system["name"] in better[metric]
        kept.write_text(json.dumps(data, indent=1), encoding="utf-8")


def _phenomena(values: Values, folder: Path) -> None:
    from commonground.phenomena.result import score_phenomena  # noqa: PLC0415

    outputs = {name: _treebank(path) for name, path in values["outputs"].items()}
    mappings = {name: each for name, each in values.get("mappings", {}).items() if each}
    _result(score_phenomena(_items(values["gold"]), outputs, mappings=mappings), folder)


_ITEMS = "phenomena.tsv"


def _items(source: Path) -> str:
    """Return the file of a gold standard of phenomena: an input, or what was mined."""
    return str(source / _ITEMS if source.is_dir() else source)


def _phenomena_info(values: Values, folder: Path) -> None:
    """Keep what a gold standard of phenomena holds, and how far its words are apart."""
    from commonground.phenomena.gold import read_gold  # noqa: PLC0415
    from commonground.phenomena.info import contents  # noqa: PLC0415
    from commonground.report.json_text import json_text  # noqa: PLC0415
    from commonground.report.phenomena import contents_grid  # noqa: PLC0415

    found = replace(contents(read_gold(_items(values["gold"]))), path="the gold standard")
    (folder / "result.json").write_text(json_text(found.to_json()), encoding="utf-8")
    _keep_grids([contents_grid(found)], folder)


def _mine(values: Values, folder: Path) -> None:
    """Keep how frequent phenomena are, and a sample: the items, their targets and sentences.

    The targets are what the patterns propose; sentences are kept in the order of the items.
    """
    import numpy as np  # noqa: PLC0415

    from commonground.formats.folders import files_of  # noqa: PLC0415
    from commonground.phenomena.mine import mine, sheet, write_sheet  # noqa: PLC0415
    from commonground.report.json_text import json_text  # noqa: PLC0415
    from commonground.report.phenomena import mined_grids  # noqa: PLC0415

    source = values["of"]
    kept = sorted(source.glob("treebank.*")) if source.is_dir() else []
    found = mine(
        [str(path) for path in kept] or files_of(source),
        only=tuple(values.get("only", ())),
        sample=int(values.get("sample", 0)),
        seed=int(values.get("seed", 0)),
    )
    (folder / "result.json").write_text(json_text(found.to_json()), encoding="utf-8")
    _keep_grids(mined_grids(found)[:1], folder)
    if "sample" in values:
        write_sheet(found, folder / _ITEMS)
        corpus = _treebank(source)
        place = {name: number for number, name in enumerate(corpus.sent_id.tolist())}
        _keep(corpus.take(np.array([place[item] for item in sheet(found).items])), folder)


def _measures(values: Values, folder: Path) -> None:
    """Keep the three measures of a parse: attachment, undirected, NED.

    With another parse `before`, keep how much they have changed, too.
    """
    from commonground.parsers.dmv.studies import SHORT, measured  # noqa: PLC0415

    gold, parse = _treebank(values["gold"]), _treebank(values["parse"])
    found = {"short": measured(gold, parse, SHORT), "all": measured(gold, parse)}
    if "before" in values:
        before = _treebank(values["before"])
        found["short_change"] = found["short"] - measured(gold, before, SHORT)
        found["all_change"] = found["all"] - measured(gold, before)
    _records({name: asdict(each) for name, each in found.items()}, folder)


def _published_flips(values: Values, folder: Path) -> None:
    """Keep which edges are turned for which algorithm, and how frequent their structures are."""
    from commonground.parsers.dmv.flips import PUBLISHED, STRUCTURES  # noqa: PLC0415
    from commonground.parsers.dmv.studies import shares_of  # noqa: PLC0415

    every = [edge for edges in STRUCTURES.values() for edge in edges]
    shares = shares_of(_treebank(values["of"]), {**STRUCTURES, "any of them": every})
    turned = {name: {*each.edges, *each.forbidden} for name, each in PUBLISHED.items()}
    rows: list[list[Cell | str]] = [
        [
            name if edge == edges[0] else "",
            Cell(100 * shares[name] if edge == edges[0] else "", 1),
            str(edge),
            *("+" if edge in each else "–" for each in turned.values()),
        ]
        for name, edges in STRUCTURES.items()
        for edge in edges
    ]
    rows.append(["any of them", Cell(100 * shares["any of them"], 1), *[""] * (1 + len(turned))])
    (folder / "result.json").write_text(json.dumps(shares, indent=1), encoding="utf-8")
    share = Column("% of words", "right", 1)
    columns: list[Column | str] = ["structure", share, "edge", *turned]
    note = "An edge with + is turned in the parameters of the algorithm; IN->DT is forbidden."
    _keep_grids([Grid.of("Parameter changes", columns, rows, [note])], folder)


def _learnability(values: Values, folder: Path) -> None:
    from commonground.parsers.dmv.flips import PUBLISHED  # noqa: PLC0415
    from commonground.parsers.dmv.own_annotation import PHRASES  # noqa: PLC0415
    from commonground.parsers.dmv.studies import learnability  # noqa: PLC0415

    name = str(values["algorithm"])
    found = learnability(
        _treebank(values["train"]), _treebank(values["test"]), PUBLISHED[name], PHRASES[name]
    )
    _records(asdict(found), folder)


def _records(data: Mapping[str, Any], folder: Path) -> None:
    """Keep numbers that a table is put together from."""
    (folder / "result.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    rows = [[f"{a} {b}", value] for a, each in data.items() for b, value in each.items()]
    _keep_grids([Grid.of("", ["what", Column("value", "right", 4)], rows)], folder)


_TEST = ("test", "iterations", "correction", "alternative", "resample", "confidence", "seed")

KINDS = {
    kind.name: kind
    for kind in (
        Kind("part", "Cut off a part of a treebank", _part, ("of",),
             ("part", "every", "fold", "share", "longest")),
        Kind("convert", "Dependencies from constituents", _convert, ("of",), ("rules", "scheme")),
        Kind("transform", "To another scheme", _transform, ("of",), ("scheme", "to", "only")),
        Kind("count-changes", "Count what a transformation rewrites", _count_changes, ("of",),
             ("scheme", "to", "only")),
        Kind("projectivize", "Lift crossing arcs", _projectivize, ("of",), ("encoding",)),
        Kind("realize", "Relational-realizational trees", _realize, ("of",)),
        Kind("label-unify", "Add the labels of another analysis", _label_unify, ("of", "labels")),
        Kind("align", "Align the words of two treebanks", _align, ("source", "target"),
             ("way", "aligner")),
        Kind("project", "Project trees to another language", _project,
             ("source", "target", "links"), ("policies", "fragments", "words")),
        Kind("filter", "Keep trees of few fragments", _filter, ("of",), ("fragments", "words")),
        Kind("delexicalise", "Take the words away", _delexicalise, ("of",)),
        Kind("train", "Train a parser", _train, ("of", "dev"),
             ("parser", "gold_tags", "encoding", "seed", "settings"), ("dev",), version=2),
        Kind("parse", "Parse", _parse, ("model", "of")),
        Kind("cross-parse", "Parse each fold by a model of the others", _cross_parse, ("of",),
             ("parser", "folds", "gold_tags", "encoding", "seed", "settings")),
        Kind("flip-parameters", "Turn parameters of a DMV", _flip, ("model", "of", "gold"),
             ("published", "edges"), ("of", "gold")),
        Kind("evaluate", "Score parses against a gold standard", _evaluate, ("gold", "parses"),
             ("metrics", "settings", *_TEST), version=2),
        Kind("compare", "Compare across schemes and frameworks", _compare, ("systems",),
             ("protocol", "subsets", "labels", "layout", "settings", *_TEST), version=3),
        Kind("validate", "Train and test on random samples", _validate, ("systems",),
             ("parser", "samples", "words", "sentences", "metrics", "gold_tags", "settings",
              "seed"), version=2),
        Kind("runs", "Put the runs of validations together", _runs, ("of",), ("baseline", "names")),
        Kind("phenomena", "Recall on constructions", _phenomena, ("gold", "outputs"),
             ("mappings",)),
        Kind("phenomena-info", "What a gold standard of phenomena holds", _phenomena_info,
             ("gold",)),
        Kind("mine", "Candidates for phenomena", _mine, ("of",), ("only", "sample", "seed")),
        Kind("measures", "Attachment, undirected, NED", _measures, ("gold", "parse", "before"),
             optional=("before",)),
        Kind("published-flips", "The parameter changes of Schwartz (2011)", _published_flips,
             ("of",), version=2),
        Kind("learnability", "Supervised DMV on two annotations", _learnability, ("train", "test"),
             ("algorithm",)),
    )
}  # fmt: skip
"""All kinds of steps by name."""
