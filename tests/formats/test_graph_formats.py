"""Graphs of meaning: what the formats say, and what becomes of it in another one."""

from __future__ import annotations

from importlib import import_module

import pytest
from graph_samples import GRAPH_SAMPLES

from commonground.corpus import Graphs
from commonground.errors import InputError, UsageError
from commonground.formats.format import FormatOptions
from commonground.formats.registry import read, read_text, write_text
from commonground.formats.rewriting import rewrite
from commonground.formats.storage.pieces import pieces_of


@pytest.mark.parametrize("name", GRAPH_SAMPLES)
def test_a_file_is_recognised_and_comes_back(name):
    corpus = read_text(GRAPH_SAMPLES[name])
    assert read_text(write_text(corpus, name), name) == corpus


@pytest.mark.parametrize("name", GRAPH_SAMPLES)
def test_every_format_can_be_written_as_mrp_with_all_nodes_and_edges(name):
    corpus = read_text(GRAPH_SAMPLES[name], name)
    mrp = read_text(write_text(corpus, "mrp"), "mrp")
    assert mrp.label == corpus.label
    assert mrp.edges == corpus.edges
    assert mrp.anchors == corpus.anchors


def test_words_of_sdp_that_mean_something_are_nodes_anchored_in_the_text():
    corpus = read_text(GRAPH_SAMPLES["sdp"], "sdp")
    assert corpus[0].column("id") == ["1", "2", "4"]
    assert corpus.metadata("text")[0] == "Birds try to sing ."
    assert corpus[0].column("start", "anchors").tolist() == [0, 6, 13]


DMRS = ("dmrx", "simpledmrs", "dmrsjson")


@pytest.mark.parametrize("name", DMRS)
def test_nodes_and_links_of_dmrs_are_those_that_pydelphin_reads(name):
    codec = import_module(f"delphin.codecs.{name}")
    text = GRAPH_SAMPLES["dmrx" if name == "simpledmrs" else name]  # it does not read its own /
    corpus = read_text(text)
    for graph, sentence in zip(codec.loads(write_text(corpus, name)), corpus, strict=True):
        assert [str(node.id) for node in graph.nodes] == sentence.column("id")
        assert [node.predicate for node in graph.nodes] == sentence.column("label")
        ends = zip(
            *(sentence.column(e, "edges").tolist() for e in ("source", "target")), strict=True
        )
        rows = {node.id: row for row, node in enumerate(graph.nodes)}
        assert [(rows[link.start], rows[link.end]) for link in graph.links] == list(ends)
        assert [link.role for link in graph.links] == sentence.column("label", "edges")
        assert [link.post for link in graph.links] == sentence.column("value", "attributes")
        tops = sentence.column("top").tolist()
        assert graph.top == (graph.nodes[tops.index(1)].id if 1 in tops else None)


@pytest.mark.parametrize("name", DMRS)
def test_every_notation_of_dmrs_becomes_every_other(name):
    corpus = read_text(GRAPH_SAMPLES[name], name)
    for other in DMRS:
        assert read_text(write_text(corpus, other), other) == corpus


def test_a_quote_in_a_text_that_pydelphin_does_not_escape_is_read():
    text = 'dmrs {\n  ["Say "no"." top=1]\n  1 [_say_v_1<0:3>];\n}\n'
    corpus = read_text(text, "simpledmrs")
    assert corpus.metadata("text")[0] == 'Say "no".'


def test_an_inverted_edge_of_amr_keeps_its_direction_and_names_its_opposite():
    corpus = read_text(GRAPH_SAMPLES["amr"], "amr")
    assert corpus[1].column("value", "attributes") == ["ARG0"]
    assert ":ARG0-of (s / sing-01)" in write_text(corpus, "amr")


def test_an_edge_that_leads_to_the_top_is_inverted_in_amr():
    line = (
        '{"id": "1", "tops": [0], "nodes": [{"id": 0, "label": "bird"}, '
        '{"id": 1, "label": "sing-01"}], "edges": [{"source": 1, "target": 0, "label": "ARG0"}]}\n'
    )
    assert ":ARG0-of (s / sing-01)" in write_text(read_text(line, "mrp"), "amr")


def test_brackets_five_thousand_deep_are_read_and_written():
    deep = "".join(f"(x{n} / x :ARG0 " for n in range(5_000)) + "(y / y)" + ")" * 5_000
    corpus = read_text(deep + "\n", "amr")
    assert corpus.edges.rows == 5_000
    assert read_text(write_text(corpus, "amr"), "amr") == corpus


def test_a_graph_whose_nodes_are_no_words_is_refused_as_sdp():
    with pytest.raises(UsageError, match="anchored at the same word"):
        write_text(read_text(GRAPH_SAMPLES["eds"], "eds"), "sdp")


def test_units_of_ucca_are_nodes_at_their_words_and_implicit_ones_are_left_out():
    passage = read_text(GRAPH_SAMPLES["ucca"], "ucca")[0]
    assert passage.column("id") == ["1.1", "1.2", "1.3", "1.4", "1.5", "1.7"]
    assert passage.column("top").tolist() == [1, 0, 0, 0, 0, 0]
    assert passage.column("label", "edges") == ["H", "A", "D", "S", "A", "U", "A"]
    assert passage.column("edge", "attributes").tolist() == [6]
    text = passage.corpus.metadata("text")[0]
    spans = zip(*(passage.column(name, "anchors") for name in ("start", "end")), strict=True)
    assert [text[start:end] for start, end in spans] == ["Birds", "try", "to", "sing", "."]


def test_only_units_at_u_are_written_as_punctuation():
    written = write_text(read_text(GRAPH_SAMPLES["ucca"], "ucca"), "ucca")
    assert 'ID="1.7" type="PNCT"' in written
    assert [part[0] for part in written.split('<node ID="0.')[1:] if "Punctuation" in part] == ["5"]


def test_graphs_of_mrp_become_passages_of_ucca_with_the_words_between_their_anchors():
    mrp = write_text(read_text(GRAPH_SAMPLES["ucca"], "ucca"), "mrp")
    again = read_text(write_text(read_text(mrp, "mrp"), "ucca"), "ucca")
    assert again.form.tolist() == ["Birds", "try", "to", "sing", "."]
    assert again.edges == read_text(mrp, "mrp").edges


@pytest.mark.parametrize("name", ["sdp", "amr", "eds"])
def test_nodes_with_labels_are_refused_as_ucca(name):
    with pytest.raises(UsageError, match="units have none"):
        write_text(read_text(GRAPH_SAMPLES[name], name), "ucca")


PREDICATES = """\
1 Birds bird bird NNS NNS _ _ 2 2 SBJ SBJ _ _ A0 A0
2 try try try VBP VBP _ _ 0 0 ROOT ROOT Y try.01 _ _
3 to to to TO TO _ _ 2 2 OPRD OPRD _ _ A1 _
4 sing sing sing VB VB _ _ 3 3 IM IM Y sing.02 _ _

1 Yes yes yes UH UH _ _ 0 0 ROOT ROOT _ _

""".replace(" ", "\t")


@pytest.mark.parametrize("suffix", ["mrp", "sdp"])
def test_predicates_and_arguments_of_conll_2009_become_graphs(tmp_path, suffix):
    (tmp_path / "a.conll09").write_text(PREDICATES)
    rewrite(tmp_path / "a.conll09", tmp_path / f"a.{suffix}")
    graphs = read(tmp_path / f"a.{suffix}")
    ends = zip(graphs.source.tolist(), graphs.target.tolist(), graphs.edges["label"], strict=True)
    assert list(ends) == [(1, 0, "A0"), (3, 0, "A0"), (1, 2, "A1")]
    properties = graphs.properties
    values = zip(properties["name"], properties["value"], strict=True)
    assert [value for name, value in values if name == "frame"] == ["try.01", "sing.02"]
    assert not graphs.nodes["top"].any()
    assert graphs.nodes.lengths.tolist() == [4, 0]


def test_arguments_of_no_predicate_are_told_with_the_line(tmp_path):
    (tmp_path / "a.conll09").write_text("\n" + PREDICATES.replace("Y\tsing.02", "_\t_"))
    with pytest.raises(InputError, match="word 1 of the sentence has 2 columns") as refused:
        rewrite(tmp_path / "a.conll09", tmp_path / "a.mrp")
    assert refused.value.line == 2
    assert not (tmp_path / "a.mrp").exists()


def test_trees_without_predicates_are_refused_as_graphs(tmp_path):
    (tmp_path / "a.conllu").write_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(UsageError, match="has dependencies, but MRP"):
        rewrite(tmp_path / "a.conllu", tmp_path / "a.mrp")


_PASSAGE, _ENDS = "<root passageID='1'><layer layerID='1'>", "</node></layer></root>"


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("mrp", '{"id": 1}\n{"id": 2, "tops": [3]}\n', 2, "tops: there is no node 3"),
        ("mrp", '{"id": 1, "nodes": [{}]}\n', 1, "missing required field"),
        ("sdp", "#1\n1\ta\ta\tX\t+\t-\t_\tARG1\n", 2, "with 0 predicates, 6"),
        ("amr", "# ::id 1\n(a / b\n  :ARG0 (c / d)\n", 3, "the graph ends"),
        ("amr", "(a / b\n :x (a / c))\n", 2, "has a concept already"),
        ("ucca", f"{_PASSAGE}\n<node ID='1.1'>\n<edge toID='1.2'/>{_ENDS}", 3, "no such node"),
        ("ucca", f"{_PASSAGE}<node ID='1'/>\n<node ID='1'>{_ENDS}", 2, "one of its own"),
        ("ucca", "<root passageID='1'>\n<layer></root>", 2, "mismatched tag"),
        ("ucca", "<!DOCTYPE a [\n<!ENTITY b 'c'>]><root passageID='&b;'/>", 2, "is declared"),
        ("dmrx", "<dmrs-list>\n<dmrs>\n<node nodeid='x'/></dmrs></dmrs-list>", 3, "nodeid is 'x'"),
        ("dmrx", "<dmrs><node nodeid='1'><gpred>a</gpred></node>\n<link/></dmrs>", 2, "from and"),
        ("dmrx", "<dmrs>\n<link from='1' to='2'/></dmrs>", 2, "there is no such node"),
        ("dmrx", "<dmrs top='1'>\n<node nodeid='1'/></dmrs>", 2, "has no predicate"),
        ("simpledmrs", "dmrs {\n 1 [a];\n 1 [b];\n}\n", 3, "number of its own"),
        ("simpledmrs", "dmrs {\n [top=2]\n 1 [a];\n}\n", 1, "top or the index, 2"),
        ("simpledmrs", "dmrs {\n 1 [a];\n 1:ARG1 -> 1;\n}\n", 3, "or a link"),
        ("dmrsjson", '[\n{"nodes": [{"nodeid": 1}]}]', 2, "required field `predicate`"),
        ("dmrsjson", '[\n{"links": [{"from": 1, "to": 2}]}]', 2, "a link with 1"),
        ("eds", "#1\n{e1:\n e1:_rain_v_1<0:4>[ARG1 x2]\n}\n", 3, "one of the nodes"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(name, text, line, message):
    with pytest.raises(InputError, match=message) as refused:
        read_text(text, name)
    assert refused.value.line == line


AWKWARD = {
    "sdp": GRAPH_SAMPLES["sdp"].replace("#SDP 2015\n", "#SDP 2015\n\n").replace("\n\n", "\n\n\n"),
    "amr": "# AMR release\n\n\n"
    + GRAPH_SAMPLES["amr"].replace("\n\n", "\n \n\u00a0\n# no graph\n\n"),
    "mrp": "\n" + GRAPH_SAMPLES["mrp"].replace("\n", "\n \n").rstrip(),
}


@pytest.mark.parametrize("size", [1, 200, 2000])
@pytest.mark.parametrize("text", [*AWKWARD, *(f"plain {name}" for name in AWKWARD)])
def test_pieces_of_a_file_are_the_whole(text, size, tmp_path):
    name = text.removeprefix("plain ")
    path = tmp_path / f"a.{name}"
    path.write_text(3 * (GRAPH_SAMPLES if text != name else AWKWARD)[name], encoding="utf-8")
    if name == "sdp":
        path.write_text(path.read_text().replace("#SDP 2015\n", ""), encoding="utf-8")
        path.write_text("#SDP 2015\n" + path.read_text(), encoding="utf-8")
    pieces = [piece.read(FormatOptions()) for piece in pieces_of(str(path), name, size)]
    assert len(pieces) > 1 or size > 200
    assert Graphs.concatenate(pieces) == read(path)
