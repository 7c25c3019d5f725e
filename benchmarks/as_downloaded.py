"""Public treebanks in two annotations, compared as they are downloaded.

    python benchmarks/as_downloaded.py FOLDER

FOLDER has the files that PAIRS names; pairs whose files are not there are left out. Each row is
what ``commonground compare a=ONE:ONE b=OTHER:OTHER --on-mismatch realign --broken-files skip``
finds: how many words of the smaller side stand in sentences that were compared, the overlap of the
two gold standards, and which labels are known; where a map was learned, how many labels are right
on sentences that it was not learned from.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from commonground import compare, read
from commonground.evaluation.inventories import Translated
from commonground.formats.storage.folders import BROKEN_FILES
from commonground.metrics.settings import Settings
from commonground.tokens.sentences import pair_sentences

PAIRS = {
    "IcePaHC, Grettir: constituents – UD": (
        "1310.grettir.nar-sag.psd",
        "1310.grettir.nar-sag.conllu",
    ),
    "IcePaHC, Jarteinabók: constituents – UD": (
        "1210.jartein.rel-sag.psd",
        "1210.jartein.rel-sag.conllu",
    ),
    "CESS-ESP: constituents – UD AnCora dev": ("cess_esp", "es_ancora-ud-dev.conllu"),
    "CoNLL-2007 Spanish – UD AnCora test": ("esp", "es_ancora-ud-test.conllu"),
    "Hebrew: SPMRL – UD HTB test": ("test_hebtb-gold.conll", "he_htb-ud-test.conllu"),
    "Persian: PerDT – UD test": ("perdt-test.conll", "fa_perdt-ud-test.conllu"),
    "Gothic: PROIEL – UD dev": ("gothic-nt.conll", "got_proiel-ud-dev.conllu"),
    "Latin: PROIEL – UD test": ("latin", "la_proiel-ud-test.conllu"),
    "Old Church Slavonic: PROIEL – UD test": ("marianus.conll", "cu_proiel-ud-test.conllu"),
    "Old East Slavic: TOROT – UD test": ("torot", "orv_torot-ud-test.conllu"),
    "Latin: Perseus XML – UD train": ("latin-perseus", "la_perseus-ud-train.conllu"),
    "Danish: Copenhagen – UD DDT dev": ("cdt", "da_ddt-ud-dev.conllu"),
    "French GSD: SUD – UD dev": ("fr_gsd-sud-dev.conllu", "fr_gsd-ud-dev.conllu"),
    "Rhapsodie (French, spoken): SUD – UD test": ("rhapsodie", "fr_rhapsodie-ud-test.conllu"),
    "CLTT (Czech) test: UD 1.3 – 2.17": (
        "cs_cltt-ud-test-r1.3.conllu",
        "cs_cltt-ud-test-r2.17.conllu",
    ),
    "IMST (Turkish): UD 1.3 – 2.16": ("tr_imst-r1.3-all", "tr_imst-r2.16-all"),
    "GDT (Greek): UD 1.2 – 2.16": ("el_gdt-r1.2-all", "el_gdt-r2.16-all"),
    "BTB (Bulgarian) test: UD 1.2 – 2.16": ("bg_btb-r1.2.conllu", "bg_btb-r2.16.conllu"),
    "FarPaHC, Acts: constituents – UD": ("acts.psd", "acts.conllu"),
    "FarPaHC, John: constituents – UD": ("john.psd", "fo-train.conllu"),
    "Bosque: constituents – UD dev": ("Floresta_7.4.ptb", "pt_bosque-dev.conllu"),
    "Bosque: constituents – UD test": ("Floresta_7.4.ptb", "pt_bosque-test.conllu"),
    "Penn Treebank sample: constituents – CoNLL": ("combined", "dependency_treebank"),
    "Sequoia: constituents – UD": ("sequoia/const.mrg", "sequoia/ud.conllu"),
    "Sequoia: SUD – UD": ("sequoia/sud.conllu", "sequoia/ud.conllu"),
    "Naija NSC: SUD – UD dev": ("naija", "pcm_nsc-dev.conllu"),
    "EWT test: UD 2.2 – 2.16": ("UD_English-EWT-r2.2.conllu", "UD_English-EWT-r2.16.conllu"),
    "GSD (German) test: UD 2.2 – 2.16": (
        "UD_German-GSD-r2.2.conllu",
        "UD_German-GSD-r2.16.conllu",
    ),
    "Talbanken test: UD 2.2 – 2.16": (
        "UD_Swedish-Talbanken-r2.2.conllu",
        "UD_Swedish-Talbanken-r2.16.conllu",
    ),
    "HTB (Hebrew) test: UD 2.2 – 2.16": (
        "UD_Hebrew-HTB-r2.2.conllu",
        "UD_Hebrew-HTB-r2.16.conllu",
    ),
    "Sequoia test: UD 2.2 – 2.16": (
        "UD_French-Sequoia-r2.2.conllu",
        "UD_French-Sequoia-r2.16.conllu",
    ),
}


def main(folder: Path) -> None:
    """Print a row for each pair whose files are there."""
    warnings.simplefilter("ignore")
    os.environ[BROKEN_FILES] = "skip"
    columns = "treebank|files|words compared|of|joined|labelled|unlabelled|labels"
    print("|", columns.replace("|", " | "), "|")
    print("|---" * (columns.count("|") + 1) + "|")
    for title, names in PAIRS.items():
        if all((folder / name).exists() for name in names):
            print("|", " | ".join(row(title, folder, names)), "|", flush=True)


def row(title: str, folder: Path, names: tuple[str, str]) -> list[str]:
    """Return what is found about a pair."""
    one, other = (read(folder / name) for name in names)
    found = compare(
        {"a": (one, one), "b": (other, other)}, settings=Settings(on_mismatch="realign")
    )
    pairs = pair_sentences([one, other])
    side = min((0, 1), key=lambda side: sum(pairs.words[side]))
    groups = pairs.groups[side]
    total = sum(pairs.words[side])
    left = len(groups) - len(found.sentences.ids)  # groups whose words could not be paired
    share = (total - pairs.words_alone[side]) * (len(groups) - left) // max(len(groups), 1)
    overlap = found.overlap.get(("a", "b"))
    scores = (overlap.labelled.value, overlap.unlabelled.value) if overlap else (1.0, 1.0)
    shown = ["–" if score is None else f"{100 * score:.1f}" for score in scores]
    labels = "; ".join(told(found.translated[name]) for name in "ab" if name in found.translated)
    return [
        *(title, f"`{names[0]}`, `{names[1]}`", f"{share:,}", f"{total:,}"),
        *(f"{pairs.joined:,}", *shown, labels or "as they are"),
    ]


def told(each: Translated) -> str:
    """Return what labels were read as, with the share that is known."""
    right = "" if each.accuracy is None else f", {100 * each.accuracy:.1f} % right where held out"
    if not (each.inventory or each.by):
        return "not known"
    return f"{each.inventory or 'learned'} {100 * each.coverage:.1f} %{right}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
