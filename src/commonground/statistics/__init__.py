"""From scores to claims: tests, intervals and variance, from the counts per sentence.

Two systems are paired (``pairing``) and tested (``shuffling``, ``bootstrap``, ``ranks``,
``mcnemar``; by name: ``registry``), which gives a claim (``claim``). Many systems are tested in
pairs (``pairs``), with corrected p-values (``corrections``), effect sizes (``outcomes``) and groups
that do not differ (``letters``). ``power`` tells which differences a test set could show, ``runs``
compares training runs. ``testing`` does all of it that is ``asked`` for the systems of a result, on
their ``common_sentences`` and with ``intervals`` from common resamples, which gives its ``claims``;
``run_claims`` does it for runs in files.
"""
