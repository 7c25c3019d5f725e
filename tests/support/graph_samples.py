"""What the tests of the formats of graphs share: a small file in each."""

from __future__ import annotations

GRAPH_SAMPLES = {
    "sdp": (
        "#SDP 2015\n#1\n1\tBirds\tbird\tNNS\t-\t-\t_\tARG1\tARG1\n"
        "2\ttry\ttry\tVBP\t+\t+\tv:e-i-h\t_\t_\n3\tto\t_\tTO\t-\t-\t_\t_\t_\n"
        "4\tsing\tsing\tVB\t-\t+\tv:e-i\tARG2\t_\n5\t.\t_\t.\t-\t-\t_\t_\t_\n\n"
        "#2\n1\tIt\tit\tPRP\t-\t-\n2\trains\train\tVBZ\t+\t-\n\n"
    ),
    "amr": (
        "# ::id 1 ::date 2020-01-01\n# ::snt The small birds want to sing.\n# ::zone a\n"
        "(w / want-01~e.3\n      :ARG0~e.3 (b / bird\n            :mod (s2 / small))\n"
        "      :ARG1 (s / sing-01~e.5,6\n            :ARG0 b\n            :polarity -~e.0))\n\n"
        '# ::id 2\n(p / person\n      :name (n / name\n            :op1 "Ann" :op2 "B C")\n'
        "      :quant 3\n      :ARG0-of (s / sing-01))\n\n"
    ),
    "eds": (
        "# text = Ann sings.\n#1\n{e2:\n _1:proper_q<0:3>[BV x3]\n"
        ' x3:named<0:3>("Ann"){x PERS 3, NUM sg}[]\n'
        " e2:_sing_v_1<4:10>{e SF prop, TENSE pres}[ARG1 x3]\n}\n\n"
        "#2\n{e1:\n e1:_rain_v_1<-1:-1>[]\n}\n\n"
    ),
    "dmrx": (
        '<dmrs-list>\n<dmrs cfrom="0" cto="15" surface="Ann can&apos;t sing." ident="1" top="3" '
        'index="4">\n<node nodeid="1" cfrom="0" cto="3"><gpred>proper_q_rel</gpred><sortinfo/>'
        '</node>\n<node nodeid="2" cfrom="0" cto="3" carg="Ann"><gpred>named</gpred>'
        '<sortinfo cvarsort="x" pers="3" num="sg" ind="+"/></node>\n'
        '<node nodeid="3" cfrom="4" cto="9"><realpred lemma="can" pos="v" sense="modal"/>'
        '<sortinfo cvarsort="e" sf="prop"/></node>\n'
        '<node nodeid="4" cfrom="10" cto="15"><realpred lemma="sing" pos="v" sense="1"/>'
        '<sortinfo cvarsort="e" sf="prop"/></node>\n'
        '<link from="1" to="2"><rargname>RSTR</rargname><post>H</post></link>\n'
        '<link from="3" to="4"><rargname>ARG1</rargname><post>H</post></link>\n'
        '<link from="4" to="2"><rargname>ARG1</rargname><post>NEQ</post></link>\n</dmrs>\n'
        '<dmrs cfrom="-1" cto="-1"><node nodeid="10000" cfrom="-1" cto="-1">'
        '<realpred lemma="rain" pos="v" sense="1"/><sortinfo/></node>'
        '<link from="0" to="10000"><rargname></rargname><post>H</post></link></dmrs>\n'
        "</dmrs-list>\n"
    ),
    "simpledmrs": (
        'dmrs 1 {\n  [<0:11> "Ann sings \\"la\\"." top=10002 index=10002]\n'
        '  10000 [proper_q<0:3>];\n  10001 [named<0:3>("Ann") x PERS=3 NUM=sg];\n'
        "  10002 [_sing/vbz_v_1<4:11> e SF=prop];\n  10003 [_loud_a_1 e];\n"
        "  10000:RSTR/H -> 10001;\n  10002:ARG1/NEQ -> 10001;\n  10003:MOD/EQ -- 10002;\n}\n"
        "dmrs { [top=1] 1 [_rain_v_1<3:8>]; }\n"
    ),
    "dmrsjson": (
        '[{"identifier": "1", "surface": "Ann sings.", "top": 3, "index": 3, "nodes": [\n'
        '{"nodeid": 1, "predicate": "proper_q", "lnk": {"from": 0, "to": 3}},\n'
        '{"nodeid": 2, "predicate": "named", "carg": "Ann", "lnk": {"from": 0, "to": 3}, '
        '"sortinfo": {"cvarsort": "x", "PERS": "3"}},\n'
        '{"nodeid": 3, "predicate": "_sing_v_1", "lnk": {"from": 4, "to": 10}}], "links": [\n'
        '{"from": 1, "to": 2, "rargname": "RSTR", "post": "H"},\n'
        '{"from": 3, "to": 2, "rargname": "ARG1", "post": "NEQ"}]},\n'
        '{"nodes": [{"nodeid": 1, "predicate": "_rain_v_1"}], "links": []}]\n'
    ),
    "ucca": (
        '<root annotationID="0" passageID="1">\n  <attributes />\n  <layer layerID="0">\n'
        '    <node ID="0.1" type="Word">\n      <attributes text="Birds" />\n'
        '      <extra lemma="bird" tag="NNS" />\n    </node>\n'
        '    <node ID="0.2" type="Word"><attributes text="try" /></node>\n'
        '    <node ID="0.3" type="Word"><attributes text="to" /></node>\n'
        '    <node ID="0.4" type="Word"><attributes text="sing" /></node>\n'
        '    <node ID="0.5" type="Punctuation"><attributes text="." /></node>\n  </layer>\n'
        '  <layer layerID="1">\n    <node ID="1.1" type="FN">\n'
        '      <edge toID="1.2" type="H"><attributes /><category tag="H" /></edge>\n    </node>\n'
        '    <node ID="1.2" type="FN">\n      <edge toID="1.3" type="A"><attributes /></edge>\n'
        '      <edge toID="1.4" type="D"><category tag="D" /><category tag="S" /></edge>\n'
        '      <edge toID="1.5" type="A"><attributes /></edge>\n'
        '      <edge toID="1.7" type="U"><attributes /></edge>\n    </node>\n'
        '    <node ID="1.3" type="FN"><edge toID="0.1" type="Terminal" /></node>\n'
        '    <node ID="1.4" type="FN"><edge toID="0.2" type="Terminal" /></node>\n'
        '    <node ID="1.5" type="FN">\n      <edge toID="0.3" type="Terminal" />\n'
        '      <edge toID="0.4" type="Terminal" />\n'
        '      <edge toID="1.3" type="A"><attributes remote="True" /></edge>\n'
        '      <edge toID="1.6" type="A"><attributes /></edge>\n    </node>\n'
        '    <node ID="1.6" type="FN"><attributes implicit="True" /></node>\n'
        '    <node ID="1.7" type="PNCT"><edge toID="0.5" type="Terminal" /></node>\n'
        "  </layer>\n</root>\n"
        '<root annotationID="0" passageID="2"><layer layerID="0"></layer>\n'
        '<layer layerID="1"><node ID="1.1" type="FN"><attributes /></node></layer></root>\n'
    ),
    "mrp": (
        '{"id": "1", "flavor": 0, "framework": "dm", "version": 1.0, "time": "2019-06-23", '
        '"input": "Birds try to sing.", "tops": [1], "nodes": ['
        '{"id": 0, "label": "bird", "properties": ["pos"], "values": ["NNS"], '
        '"anchors": [{"from": 0, "to": 5}]}, '
        '{"id": 1, "label": "try", "anchors": [{"from": 6, "to": 9}]}, '
        '{"id": 3, "label": "sing", "anchors": [{"from": 13, "to": 17}, {"from": 17, "to": 18}]}], '
        '"edges": [{"source": 1, "target": 0, "label": "ARG1"}, '
        '{"source": 1, "target": 3, "label": "ARG2"}, '
        '{"source": 3, "target": 0, "label": "ARG1", "attributes": ["remote"], "values": [true]}]}\n'
        '{"id": 2, "framework": "amr", "tops": [0], "nodes": [{"id": 0, "label": "bird"}, '
        '{"id": 1, "label": "sing-01", "properties": ["polarity"], "values": ["-"]}], '
        '"edges": [{"id": 0, "source": 0, "target": 1, "label": "ARG0-of", "normal": "ARG0"}]}\n'
        '{"id": "3", "framework": "anchoring", "nodes": [{"id": 0, "anchors": [{"#": 1}], '
        '"properties": ["polarity"], "anchorings": [[{"#": 0}]]}]}\n'
        '{"id": "4", "nodes": []}\n'
    ),
}

TWO_GRAPHS = "".join(GRAPH_SAMPLES["mrp"].splitlines(keepends=True)[:2])
"""A graph with anchors and one without."""
