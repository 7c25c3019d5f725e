"""The pictures of docs/schemes-drawn.md; ``python tests/scheme_gallery.py`` draws them anew."""

from __future__ import annotations

from pathlib import Path

from command import run_line

from commonground.schemes.library import scheme_names

DOCS = Path(__file__).parents[2] / "docs"


def picture(name: str, folder: Path) -> str:
    """Return the sentences of ``example:schemes`` as a scheme has them, drawn by the program."""
    transform = f"commonground transform example:schemes - --from ud --to {name}"
    done = run_line(f"{transform} | commonground view - --all -o {name}.svg", folder)
    assert done.returncode == 0, done.stderr
    return (folder / f"{name}.svg").read_text(encoding="utf-8")


def main() -> None:
    """Write all of them."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        for name in scheme_names():
            path = DOCS / "img" / f"schemes-{name}.svg"
            path.write_text(picture(name, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
