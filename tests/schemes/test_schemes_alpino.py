"""Alpino XML: its own heads as dependencies, and these in UD."""

from __future__ import annotations

from scheme_samples import arcs, sentence

import commonground
from commonground.conversion.to_dependencies import to_dependencies
from commonground.schemes.transform import transform

XML = """<?xml version="1.0" encoding="UTF-8"?>
<alpino_ds version="1.3">
  <node begin="0" cat="top" end="7" id="0" rel="top">
    <node begin="0" cat="smain" end="6" id="1" rel="--">
      <node begin="0" end="1" id="2" index="1" lemma="zij" postag="VNW(pers,pron)" pt="vnw" rel="su" word="Zij"/>
      <node begin="1" end="2" id="3" lemma="zijn" postag="WW(pv,tgw,ev)" pt="ww" rel="hd" word="is"/>
      <node begin="0" cat="ppart" end="6" id="4" rel="vc">
        <node begin="0" end="1" id="5" index="1" rel="su"/>
        <node begin="2" cat="pp" end="5" id="6" rel="ld">
          <node begin="2" end="3" id="7" lemma="naar" postag="VZ(init)" pt="vz" rel="hd" word="naar"/>
          <node begin="3" cat="np" end="5" id="8" rel="obj1">
            <node begin="3" end="4" id="9" lemma="de" postag="LID(bep)" pt="lid" rel="det" word="de"/>
            <node begin="4" end="5" id="10" lemma="stad" postag="N(soort,ev)" pt="n" rel="hd" word="stad"/>
          </node>
        </node>
        <node begin="5" end="6" id="11" lemma="gaan" postag="WW(vd,vrij)" pt="ww" rel="hd" word="gegaan"/>
      </node>
    </node>
    <node begin="6" end="7" id="12" lemma="." postag="LET()" pt="let" rel="--" word="."/>
  </node>
  <sentence sentid="1">Zij is naar de stad gegaan .</sentence>
</alpino_ds>
"""


def test_the_heads_of_alpino_xml_are_kept():
    done, _ = to_dependencies(commonground.read_text(XML, "alpino"), "alpino")
    assert arcs(done) == "2:su 0:ROOT 6:ld 5:det 3:obj1 2:vc 2:punct"
    assert done.upos.tolist() == ["vnw", "ww", "vz", "lid", "n", "ww", "let"]


def test_its_own_tags_lead_to_ud():
    trees, _ = to_dependencies(commonground.read_text(XML, "alpino"), "alpino")
    done, report = transform(trees, "alpino", "ud")
    # a place (ld) is an oblique in UD_Dutch-Alpino, only a prepositional complement (pc) an argument
    assert arcs(done) == "6:nsubj 6:aux 5:case 5:det 6:obl 0:root 6:punct"
    assert report.unknown == {}


DIE = (
    "Kinderen/n/0/ROOT "
    "die/vnw/1/mod/VNW(betr,pron,stan,vol,persoon,getal) zingen/ww/2/body/WW(pv,tgw,mv)"
)


def test_a_relative_pronoun_is_the_subject_of_a_clause_that_has_no_other():
    done, _ = transform(sentence(DIE), "alpino", "ud")
    assert arcs(done) == "0:root 3:nsubj 1:acl:relcl"


def test_words_of_a_name_are_flat_and_other_words_that_make_one_are_fixed():
    name = "Ada/spec/0/ROOT/SPEC(deeleigen) King/spec/1/mwp/SPEC(deeleigen)"
    adverb = "af/vz/0/ROOT/VZ(fin) en/vg/1/mwp/VG(neven) toe/vz/1/mwp/VZ(fin)"
    assert arcs(transform(sentence(name), "alpino", "ud")[0]) == "0:root 1:flat"
    assert arcs(transform(sentence(adverb), "alpino", "ud")[0]) == "0:root 1:fixed 1:fixed"
