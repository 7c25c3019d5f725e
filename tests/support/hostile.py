"""A treebank full of what could act in a page, for tests that show that it does not."""

from __future__ import annotations

from command import write

HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=2</script>",
    "<img/src=x/onerror=window.hacked=3>",
    '"onmouseover="window.hacked=4',
    "'><svg/onload=window.hacked=5>",
    "]]><!--",
    "&lt;b&gt;&amp;",
    "</style><style>*{display:none}",
    "</svg></text><iframe/src=javascript:window.hacked=6>",
    "{}${window.hacked=7}",
    "javascript:window.hacked=8",
    "bell\x07\x1b[31m",
    "\u202eright\u2066to\u200fleft",
    "שלום",
)
"""Words and labels; those with control characters and marks of direction are not printable."""


def hostile_treebank(folder):
    """Write a gold standard and a parse whose words, labels, ids and comments are hostile."""
    blocks = {"gold": [], "parse": []}
    for number, text in enumerate(HOSTILE):
        words = [text, *HOSTILE[number + 1 :], *HOSTILE[:number]]
        for side, lines in blocks.items():
            lines.append(f"# sent_id = {text}-{number}")
            lines.append(f"# text = {' '.join(words)}")
            lines.append(f"# note {text}")
            for place, word in enumerate(words, 1):
                head = place - 1 if side == "gold" or place % 3 else (place + 1) % len(words)
                label = HOSTILE[(place + (side == "parse" and place % 2)) % len(HOSTILE)]
                label = label if head else "root"
                lines.append(
                    f"{place}\t{word}\t{word}\t{label}\t{label}\t_\t{head}\t{label}\t_\t{word}"
                )
            lines.append("")
    return tuple(
        write(folder / f"{side}.conllu", "\n".join([*lines, ""])) for side, lines in blocks.items()
    )
