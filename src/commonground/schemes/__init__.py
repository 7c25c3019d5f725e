"""Annotation schemes: one choice per contested construction, and the way from any to any.

What goes in and what comes out
-------------------------------
A **construction** (:mod:`~commonground.schemes.constructions`) is something that schemes annotate
differently: adpositions, auxiliaries, coordination, … each with the *ways* in which it can be
headed. A **scheme** (:mod:`~commonground.schemes.scheme`) is a TOML file
(:mod:`~commonground.schemes.scheme_file` has its tables) with one way per construction, a map of
labels, and what else is peculiar to it. `transform` takes dependencies in one scheme and returns
them in another, with a report.

The way from any to any
-----------------------
All ways lead through one **hub**, the content-headed analysis of Universal Dependencies, so that
n schemes need n descriptions and no converters:

    corpus --analyse--> hub's shape --read labels--> HUB --write labels--> --realise--> corpus

* :mod:`~commonground.schemes.analyse` finds each construction in the shape of the source (by the
  labels between a function word and its partner, and by tags) and brings it into the hub's shape.
* :mod:`~commonground.schemes.labels` translates labels. Its rules look at the tree in the hub's
  shape in both directions, so that "has an adposition" is the same question in all schemes.
* :mod:`~commonground.schemes.realise` brings the tree into the shape of the target. An arc that is
  turned keeps its label: what is written for ``case`` labels the arc between adposition and noun,
  whichever of them is the head.

Three things stand beside these: :mod:`~commonground.schemes.word_classes` reads the tags and
features that rules ask for, :mod:`~commonground.schemes.punctuation` hangs marks inside or beside
phrases once a tree has its shape, and :mod:`~commonground.schemes.fixed_labels` is for schemes
whose labels stay with words and not with arcs.

Constructions nest. They are realised from the leaves of the tree up, and around each word from the
inside out (name, function words nearest first, conjuncts on the level on which they are), and
analysed from the leaves up as well; :mod:`~commonground.schemes.realise` has the details.

To add a scheme, write ``presets/NAME.toml``: choices first, then ``[labels.map]`` for labels that
correspond one to one, then rules for the others.
"""

from commonground.kernels.compiled_modules import prefer_compiled

prefer_compiled(__name__)
