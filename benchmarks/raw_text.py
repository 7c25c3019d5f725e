"""From plain text to words, sentences and lemmas, beside UDPipe 1 trained on the same files.

``python benchmarks/raw_text.py DATA`` takes a folder with a folder for each language, which has
``train.conllu``, ``dev.conllu`` and ``test.conllu``; names of languages after it take only those.
The text of the test file goes through both programs, and both are scored as the CoNLL 2018 shared
task did. ``--models FOLDER`` keeps UDPipe's models, whose training takes long: its tokeniser makes
``--epochs`` passes (30) and stops early by the dev file, its lemmatiser is a model of its own
(``models=2``). ``--without-udpipe`` leaves it out, ``--dev`` scores the dev files (settings are
chosen on those of English, Hebrew and Chinese only), ``--memory MB`` also tags a text of so many
megabytes and a tenth of it, and prints what memory that took.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import commonground as cg

METRICS = ("words", "sentences", "upos", "lemmas")

_TAGGER = (
    "models=2;"
    "templates_1=lemmatizer;guesser_suffix_rules_1=6;guesser_enrich_dictionary_1=4;"
    "guesser_prefixes_max_1=4;use_lemma_1=1;provide_lemma_1=1;use_xpostag_1=0;provide_xpostag_1=0;"
    "use_feats_1=0;provide_feats_1=0;prune_features_1=0;iterations_1=20;"
    "templates_2=tagger;guesser_suffix_rules_2=8;guesser_enrich_dictionary_2=6;"
    "guesser_prefixes_max_2=0;use_lemma_2=1;provide_lemma_2=0;use_xpostag_2=1;provide_xpostag_2=1;"
    "use_feats_2=1;provide_feats_2=1;prune_features_2=0;iterations_2=20"
)
"""The settings of UDPipe's tagger and lemmatiser, as those of its models for UD 2."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--without-udpipe", action="store_true")
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--memory", type=int, default=0, metavar="MB")
    given = parser.parse_args()
    names = given.languages or sorted(path.name for path in given.data.iterdir() if path.is_dir())
    print("| | sentences | words | sentences | UPOS | lemmas | lemmas, gold words | words/min |")
    print("|---|---|---|---|---|---|---|---|")
    trained = None
    for name in names:
        folder = given.data / name
        test = cg.read(folder / ("dev.conllu" if given.dev else "test.conllu"), partial=True)
        count = len(cg.read(folder / "train.conllu", partial=True))
        trained = cg.train(cg.read(folder / "train.conllu", partial=True), "tagger")
        rows = {"commonground": ours(trained, test)}
        if not given.without_udpipe:
            rows["UDPipe"] = theirs(udpipe_model(folder, given.models, given.epochs), test)
        for program, values in rows.items():
            print(f"| {name}, {program} | {count} | {' | '.join(values)} |", flush=True)
    if given.memory and trained is not None:
        measure_memory(trained, given.data / names[-1] / "train.conllu", given.memory)


def ours(trained: Any, test: Any) -> list[str]:
    """Return the scores and the speed of our own model."""
    text = cg.raw_text(test)
    trained.tag(trained.segment(text[:1000]))
    start = time.process_time()
    tagged = trained.tag(trained.segment(text))
    spent = time.process_time() - start
    assert cg.raw_text(tagged) == text, "the text was not restored"
    return [*scores(test, tagged), lemma_accuracy(test, trained.tag(test)), speed(tagged, spent)]


def theirs(model: Any, test: Any) -> list[str]:
    """Return the scores and the speed of UDPipe."""
    from ufal import udpipe  # noqa: PLC0415  # an extra

    def through(reader: str, text: str) -> tuple[Any, float]:
        pipeline = udpipe.Pipeline(model, reader, "tag", "none", "conllu")
        start = time.process_time()
        written = pipeline.process(text, udpipe.ProcessingError())
        spent = time.process_time() - start
        return cg.read_text(written, "conllu", partial=True), spent

    tagged, spent = through("tokenize", cg.raw_text(test))
    same, _ = through("conllu", cg.write_text(test, "conllu"))
    return [*scores(test, tagged), lemma_accuracy(test, same), speed(tagged, spent)]


def scores(gold: Any, tagged: Any) -> list[str]:
    """Return the F1 of words, sentences, UPOS and lemmas; trees are left out of both."""
    from commonground.evaluation.option_settings import settings_of  # noqa: PLC0415  # as below

    found = cg.evaluate(
        _flat(gold), _flat(tagged), settings=settings_of({"preset": "conll18"}), metrics=METRICS
    )
    return [f"{100 * (found[name].value or 0):.2f}" for name in METRICS]


def _flat(corpus: Any) -> Any:
    """Return a treebank whose words all depend on the one before."""
    import numpy as np  # noqa: PLC0415  # what is measured imports it anyway

    chain = corpus.words.row_in_sentence().astype(np.int32)
    return corpus.replace("words", head=chain, deprel=corpus.deprel.map(lambda _: "dep"))


def lemma_accuracy(gold: Any, tagged: Any) -> str:
    """Return the share of right lemmas, where the words are those of the gold standard."""
    pairs = list(zip(gold.lemma.tolist(), tagged.lemma.tolist(), strict=True))
    return f"{100 * sum(one == other for one, other in pairs) / len(pairs):.2f}"


def speed(tagged: Any, seconds: float) -> str:
    """Return words a minute of processor time."""
    return f"{60 * len(tagged.form) / seconds:,.0f}"


def udpipe_model(folder: Path, models: Path | None, epochs: int) -> Any:
    """Return UDPipe's model of a language, trained where there is none yet.

    Without epochs it has no tokeniser.
    """
    from ufal import udpipe  # noqa: PLC0415  # an extra

    place = models or Path(tempfile.mkdtemp())
    place.mkdir(exist_ok=True)
    path = place / f"{folder.name}.udpipe"
    if not path.exists():
        error = udpipe.ProcessingError()
        parts = [_sentences(udpipe, folder / f"{name}.conllu") for name in ("train", "dev")]
        tokeniser = f"epochs={epochs}" if epochs else "none"
        content = udpipe.Trainer.train(
            "morphodita_parsito", *parts, tokeniser, _TAGGER, "none", error
        )
        if error.occurred():
            sys.exit(f"UDPipe failed on {folder}: {error.message}")
        path.write_bytes(content)
    return udpipe.Model.load(str(path))


def _sentences(udpipe: Any, path: Path) -> Any:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(path.read_text(encoding="utf-8"))
    found, sentence, error = udpipe.Sentences(), udpipe.Sentence(), udpipe.ProcessingError()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = udpipe.Sentence()
    return found


def measure_memory(trained: Any, path: Path, megabytes: int) -> None:
    """Print what memory ``commonground tag`` takes for a large text and for a tenth of it."""
    text = cg.raw_text(cg.read(path, partial=True)).strip() + "\n\n"
    program = (
        "import resource, sys\nfrom commonground.parsers.files import tag_file\n"
        "count = tag_file(*sys.argv[1:])\n"
        "print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,"
        " resource.getrusage(resource.RUSAGE_SELF).ru_utime)"
    )
    with tempfile.TemporaryDirectory() as folder:
        model, source, target = (Path(folder) / name for name in ("model", "a.txt", "a.conllu"))
        trained.save(model)
        for size in (megabytes / 10, megabytes):
            with source.open("w", encoding="utf-8") as file:
                for _ in range(round(size * 1e6 / len(text.encode()))):
                    file.write(text)
            command = [sys.executable, "-c", program, model, source, target]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            sentences, peak, seconds = done.stdout.split()
            print(f"{size:g} MB: {sentences} sentences, {peak} MB of memory, {seconds} s")


if __name__ == "__main__":
    main()
