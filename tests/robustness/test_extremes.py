"""Sentences and trees far beyond what people write are read, checked, shown and written."""

import pytest
from command import assert_refused, assert_silent_success, run

WORDS, DEPTH = 10_000, 5_000


@pytest.fixture(scope="module")
def long_sentence(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.conllu"
    rows = (
        f"{i}\tw{i}\tw\tX\tX\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_\n"
        for i in range(1, WORDS + 1)
    )
    path.write_text("".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def deep_tree(tmp_path_factory):
    path = tmp_path_factory.mktemp("deep") / "deep.mrg"
    path.write_text("(X " * DEPTH + "(NN word)" + ")" * DEPTH + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def broad_tree(tmp_path_factory):
    path = tmp_path_factory.mktemp("broad") / "broad.mrg"
    path.write_text("(S " + " ".join(f"(NN w{i})" for i in range(WORDS)) + ")\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["long_sentence", "deep_tree", "broad_tree"])
@pytest.mark.parametrize("verb", ["check", "info", "view"])
def test_every_verb_takes_it(name, verb, request):
    done = run(verb, request.getfixturevalue(name))
    assert_silent_success(done)
    assert done.stdout


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("long_sentence", ["conllu", "conllx", "conll2009", "stanford"]),
        ("deep_tree", ["brackets", "discbracket", "export", "tigerxml"]),
        ("broad_tree", ["brackets", "discbracket", "export", "tigerxml"]),
    ],
)
def test_it_survives_every_format(name, targets, request, tmp_path, kernels):
    source = request.getfixturevalue(name)
    for target in targets:
        assert_silent_success(
            run("convert", source, tmp_path / target, "--to", target, COMMONGROUND_KERNELS=kernels)
        )
        assert_silent_success(
            run("check", tmp_path / target, "--format", target, COMMONGROUND_KERNELS=kernels)
        )


def test_a_long_sentence_against_itself_is_perfect(long_sentence):
    done = run("evaluate", long_sentence, long_sentence, "--output-format", "json")
    assert_silent_success(done)
    assert '"score": 1.0' in done.stdout


@pytest.mark.parametrize("head", ["9" * 30, "9" * 5000], ids=["beyond 64 bits", "beyond int"])
@pytest.mark.parametrize(
    "line",
    [
        ["evaluate", "far.conllu", "far.conllu", "--metrics", "elas"],
        ["transform", "far.conllu", "-", "--from", "ud", "--to", "sud"],
        ["view", "far.conllu", "--enhanced"],
    ],
    ids=lambda line: line[0],
)
def test_a_head_in_deps_that_no_sentence_has_is_no_arc(head, line, tmp_path):
    text = f"1\ta\t_\tX\t_\t_\t0\troot\t{head}:nsubj\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t1:dep\t_\n\n"
    (tmp_path / "far.conllu").write_text(text)
    assert run(*line, cwd=tmp_path).returncode == 0


def test_a_sentence_with_a_number_of_five_thousand_digits_is_not_there():
    assert_refused(run("view", "example:ud", "--sentence", "9" * 5000), "no sentence")


@pytest.mark.parametrize(
    ("parser", "setting"),
    [
        ("arc-eager", "margin=2147483648"),
        ("tagger", "margin=2147483648"),
        ("mst", "cost=nan"),
        ("mst", "aggressiveness=inf"),
        ("dmv", "smoothing=1e308"),
        ("spans", "margin=" + "9" * 30),
    ],
)
def test_a_setting_is_a_number_that_can_be_added_to_others(parser, setting, tmp_path):
    treebank = "example:ptb" if parser == "spans" else "example:ud"
    line = ["train", treebank, "--parser", parser, "-o", tmp_path / "m", "--set", setting]
    assert_refused(run(*line), "it must be a number from -1,000,000 to 1,000,000")
