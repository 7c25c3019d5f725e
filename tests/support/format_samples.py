"""A small file in each format that no bundled treebank can be written in."""

from __future__ import annotations

BY_HAND = {
    "text": b"Birds sing .\n\nFish swim .\n",
    "rr": (
        b"# function-nodes = hd prd sbj\n(S (sbj (NP (hd (NN rain)))) (prd (VBZ falls)))\n"
        b"# function-nodes = hd prd sbj\n(S (prd (VB listen)))\n"
    ),
    "treealigner": (
        b"<treealign><head><treebanks>\n<treebank id='a'/><treebank id='b'/></treebanks></head>\n"
        b"<alignments>\n<align type='good'><node treebank_id='a' node_id='s1_1'/>"
        b"<node treebank_id='b' node_id='s1_2'/></align>\n"
        b"<align type='fuzzy'><node treebank_id='a' node_id='s2_1'/>"
        b"<node treebank_id='b' node_id='s2_1'/></align>\n</alignments></treealign>\n"
    ),
    "perseus": (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<treebank version="1.6" format="aldt">\n'
        b'<sentence id="1" subdoc="2">\n'
        b'<word id="1" form="Arma" lemma="arma1" postag="n-p---na-" head="3" relation="OBJ"/>\n'
        b'<word id="2" form="cano" lemma="cano1" postag="v1spia---" head="0" relation="PRED"/>\n'
        b'<word id="3" form="[0]" head="2" relation="OBJ" artificial="elliptic"/>\n</sentence>\n'
        b'<sentence id="2"><word id="1" form="I" head="0" relation="PRED"/></sentence>\n'
        b"</treebank>\n"
    ),
    "alpino": (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<treebank>\n<alpino_ds version="1.3">\n'
        b'<node begin="0" cat="top" end="3" id="0" rel="top">\n'
        b'<node begin="0" cat="smain" end="3" id="1" rel="--">\n'
        b'<node begin="0" end="1" id="2" index="1" pt="vnw" rel="su" lemma="wij" word="Wij"/>\n'
        b'<node begin="1" end="2" id="3" pt="ww" rel="hd" lemma="willen" word="willen"/>\n'
        b'<node begin="0" cat="inf" end="3" id="4" rel="vc">\n'
        b'<node begin="0" end="1" id="5" index="1" rel="su"/>\n'
        b'<node begin="2" end="3" id="6" pt="ww" rel="hd" lemma="slapen" word="slapen"/>\n'
        b'</node></node></node>\n<sentence sentid="7">Wij willen slapen</sentence>\n</alpino_ds>\n'
        b'<alpino_ds version="1.3"><node begin="0" cat="top" end="1" id="0" rel="top">\n'
        b'<node begin="0" end="1" id="1" pt="tsw" rel="--" lemma="ja" word="Ja"/></node>\n'
        b"<sentence>Ja</sentence></alpino_ds>\n</treebank>\n"
    ),
    "ccg": (
        b"ID=a.1 PARSER=GOLD NUMPARSE=1\n(<T S[dcl] 1 2> (<L NP NNS NNS Birds NP>) "
        b"(<L S[dcl]\\NP VBP VBP sing S[dcl]\\NP_1>) )\nID=a.2\n(<L N NN NN Yes N>)\n"
    ),
    "ccgbank": (
        b'<s id="a.1"> 2\n0\t1\tS[dcl]\\NP\t1\tBirds sing\n2\t1\t(S\\NP)/NP\t2\tsongs sing <XB>\n<\\s>\n'
        b'<s id="a.2"> 0\n<\\s>\n'
    ),
    "giza": (
        b"# Sentence pair (1) source length 2 target length 3 alignment score : 1e-05\n"
        b"Die V\xc3\xb6gel singen \nNULL ({ 1 }) Birds ({ 2 }) sing ({ 3 }) \n"
        b"# Sentence pair (2) source length 1 target length 1 alignment score : 0.5\n"
        b"Ja \nNULL ({ }) Yes ({ 1 }) \n"
    ),
    "parc": (
        b"sentence(\nid(1)\nsentence_form(Birds\\, sing)\nstructure(\nsubj(sing~0, bird~1)\n"
        b"num(bird~1, pl))\n)\n\nsentence(\nid(2)\nstructure(\nmood(listen~0, imperative))\n)\n"
    ),
}
