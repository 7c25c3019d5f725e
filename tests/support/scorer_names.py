"""What the CoNLL 2018 scorer and its successor call the metrics."""

CONLL18 = {
    "Tokens": "tokens",
    "Sentences": "sentences",
    "Words": "words",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "feats",
    "AllTags": "alltags",
    "Lemmas": "lemmas",
    "UAS": "uas",
    "LAS": "las",
    "CLAS": "clas",
    "MLAS": "mlas",
    "BLEX": "blex",
}

UDEVAL = {**CONLL18, "ELAS": "elas", "EULAS": "eulas"}
