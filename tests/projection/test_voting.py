"""Links between words of one part of speech, and sources that vote."""

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import cyclic
from commonground.errors import UsageError
from commonground.projection import Policies, guided_vote, project, vote

PARTIAL = st.integers(1, 6).flatmap(
    lambda length: st.lists(
        st.lists(st.integers(-1, length), min_size=length, max_size=length), min_size=1, max_size=4
    )
)


def trees(heads):
    words = [f"w{place}" for place in range(len(heads))]
    return Dependencies.of([(words, list(heads), ["x"] * len(heads))])


def tagged(heads, tags):
    return trees(heads).replace("words", upos=Strings.of(tags))


def of_sources(sources):
    """Trees without circles, as projection makes them."""
    made = []
    for heads in sources:
        alone = [head if head != place else -1 for place, head in enumerate(heads, 1)]
        one = trees(alone)
        inside = np.asarray(cyclic(one))
        made.append(one if not inside.any() else trees([-1] * len(alone)))
    return made


@given(PARTIAL)
def test_what_is_voted_for_is_a_tree_in_which_no_head_is_new(sources):
    voters = of_sources(sources)
    result = vote(voters)
    assert not np.asarray(cyclic(result)).any()
    assert (result.head == 0).sum() <= 1
    for place, head in enumerate(result.head.tolist()):
        assert head < 0 or head in [voter.head[place] for voter in voters]


@given(PARTIAL)
def test_as_many_voters_as_there_are_keep_what_all_agree_on(sources):
    voters = of_sources(sources)
    result = vote(voters, least=len(voters))
    for place, head in enumerate(result.head.tolist()):
        assert head < 0 or {voter.head[place] for voter in voters} == {head}


def test_one_source_that_votes_twice_is_itself():
    one = of_sources([[2, 0, 2, -1]])[0]
    assert vote([one, one]).head.tolist() == one.head.tolist()


def test_votes_that_there_cannot_be_are_refused():
    one = trees([0])
    with pytest.raises(UsageError, match="from 1 to 1"):
        vote([one], least=2)
    with pytest.raises(UsageError, match="different sentences"):
        vote([one, trees([0, 1])])
    with pytest.raises(UsageError, match="no trees"):
        vote([])


def test_only_links_between_words_of_one_part_of_speech_are_used():
    source = tagged([2, 0, 2], ["PRON", "VERB", "NOUN"])
    target = tagged([0, 0, 0], ["PRON", "VERB", "VERB"])
    links = cg.read_text("0-0 1-1 2-2\n", "pharaoh")
    same = project(source, target, links, policies=Policies(tags="same"))
    assert same.trees.head.tolist() == [2, 0, -1]
    assert same.reasons["other-tag"] == 1
    assert project(source, target, links).trees.head.tolist() == [2, 0, 2]
    with pytest.raises(UsageError, match="the target has no parts of speech"):
        project(source, trees([0, 0, 0]), links, policies=Policies(tags="same"))


def test_further_sources_give_heads_to_words_that_the_first_leaves_without():
    source, target = trees([2, 0, 2]), trees([0, 0, 0])
    few, all_links = (cg.read_text(f"{t}\n", "pharaoh") for t in ("0-0 1-1", "0-0 1-1 2-2"))
    result = project(source, target, few, further=[(source, all_links)])
    assert result.trees.head.tolist() == [2, 0, 2]
    assert "Projection" not in "".join(result.trees.misc.tolist())
    sure = project(source, target, few, further=[(source, all_links)], votes=2)
    assert sure.trees.head.tolist() == [2, 0, -1]
    assert sure.reasons["outvoted"] == 1


@given(PARTIAL.filter(lambda sources: sources[0]), st.randoms(use_true_random=False))
def test_a_guide_gives_every_word_a_head_in_one_tree(sources, random):
    voters = of_sources(sources)
    length = len(voters[0].head)
    top = random.randrange(length) + 1
    guide = trees([0 if place == top else top for place in range(1, length + 1)])
    result = guided_vote(voters, [guide])
    assert not np.asarray(cyclic(result)).any()
    assert (result.head == 0).sum() == 1
    for place, head in enumerate(result.head.tolist()):
        assert head in {voter.head[place] for voter in [*voters, guide]}


def test_the_vote_of_likely_links_counts_more():
    source, target = trees([2, 0, 2]), trees([0, 0, 0])
    other = trees([3, 0, 2])
    likely, doubtful = (
        cg.read_text(" ".join(f"{n}-{n}:{p}" for n in range(3)), "pharaoh") for p in (0.9, 0.2)
    )
    first = project(source, target, doubtful, further=[(other, likely)], confidence=True)
    assert first.trees.head.tolist() == [3, 0, 2]
    shares = [float(misc.removeprefix("Confidence=")) for misc in first.trees.misc.tolist()]
    # (0.81 + 1) / (0.85 + 2), and so on: a head counts p² where both links count, the root p
    assert shares == [0.635, 0.677, 0.649]
    assert project(source, target, likely, further=[(other, doubtful)]).trees.head[0] == 2


def test_guides_fill_what_projection_leaves_and_count_what_they_weigh():
    source, target = trees([2, 0, 2]), trees([0, 0, 0])
    links, guide = cg.read_text("0-0 1-1\n", "pharaoh"), trees([3, 0, 2])
    light = project(source, target, links, guides=[guide], guide_weight=0.5, confidence=True)
    assert light.trees.head.tolist() == [2, 0, 2]
    assert light.trees.misc.tolist() == ["Confidence=0.571", "Confidence=0.714", "Confidence=0.600"]
    heavy = project(source, target, links, guides=[guide], guide_weight=3)
    assert heavy.trees.head.tolist() == [3, 0, 2]
    with pytest.raises(UsageError, match="whole trees"):
        project(source, target, links, guides=[trees([2, 0, -1])])
    with pytest.raises(UsageError, match="no effect with guides"):
        project(source, target, links, guides=[guide], votes=2, further=[(source, links)])


def test_links_with_probabilities_a_guide_and_weighted_training_from_the_command_line(tmp_path):
    links, out, bare = (tmp_path / name for name in ("a.align", "o.conllu", "bare.conllu"))
    run("align", "example:ud", "example:sud", "--probabilities", "-o", str(links))
    assert cg.read(links).probability is not None
    model = tmp_path / "bare.model"
    few = ["--set", "iterations=2", "--parser", "arc-eager", "-q"]
    run("train", "example:ud", "--gold", "upos", *few, "-o", str(model))
    run("parse", str(model), "example:sud", str(bare))
    told = ["project", "example:ud", "example:sud", str(links), str(out), "--with-confidence"]
    assert_silent_success(run(*told, "--guide", str(bare)))
    assert (cg.read(out).head >= 0).all()
    weighted = ["train", str(out), "--weights", "Confidence", *few, "-o", str(tmp_path / "w.model")]
    assert_silent_success(run(*weighted))
    assert_refused(
        run(*["X" if each == "Confidence" else each for each in weighted]), "no word has X= in MISC"
    )


def test_the_command_takes_further_sources(tmp_path):
    links = tmp_path / "a.align"
    run("align", "example:ud", "example:sud", "-o", str(links))
    out = tmp_path / "o.conllu"
    told = ["project", "example:ud", "example:sud", str(links), str(out), "--all"]
    assert_silent_success(
        run(*told, "--tags", "same", "--with", f"example:ud:{links}", "--min-votes", "2")
    )
    assert (cg.read(out, partial=True).head == cg.read("example:ud").head).all()
    assert_refused(run(*told, "--with", "x"), "write SOURCE:LINKS")
