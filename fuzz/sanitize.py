"""Build the kernels with AddressSanitizer and UndefinedBehaviorSanitizer, and try hostile arrays.

    python fuzz/sanitize.py --arrays 100000

The kernels are compiled into a folder of their own, and a second Python, with the sanitizer's
library loaded, gives them the arrays of tests/hostile_arrays.py: each entry of each kernel gets its
share. Whatever the sanitizers find ends that Python with their report.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "commonground"
FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]
STRICT = ["-fno-sanitize-recover=undefined", "-fno-sanitize=alignment"]
DIRECTIVES = ("boundscheck=False", "wraparound=False", "initializedcheck=False", "cdivision=True")


def main() -> int:
    """Build, run, and return 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arrays", type=int, default=100_000)
    parser.add_argument("--kernels", default="")
    options = parser.parse_args()
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        print("there is no C compiler")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "commonground"
        shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        names = options.kernels.split(",") if options.kernels else _kernels()
        for name in names:
            _build(compiler, package / "kernels", name)
        return _run(compiler, folder, names, options.arrays)


def _kernels() -> list[str]:
    sys.path.insert(0, str(ROOT / "tests"))
    from hostile_arrays import ENTRIES

    return sorted({module for module, _ in ENTRIES})


def _build(compiler: str, folder: Path, name: str) -> None:
    print(f"building {name}", flush=True)
    source = folder / f"_{name}.pyx"
    directives = [word for each in DIRECTIVES for word in ("-X", each)]
    cython = [sys.executable, "-m", "cython", "-3", *directives, str(source)]
    subprocess.run(cython, check=True, cwd=folder.parents[1])
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    include = sysconfig.get_paths()["include"]
    target = folder / f"_{name}{suffix}"
    line = [compiler, "-shared", "-fPIC", *FLAGS, *STRICT, f"-I{include}"]
    subprocess.run([*line, str(source.with_suffix(".c")), "-o", str(target)], check=True)


def _run(compiler: str, folder: str, names: list[str], arrays: int) -> int:
    library = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONPATH": f"{folder}:{ROOT / 'tests'}",
        "PYTHONMALLOC": "malloc",
    }
    program = _PROGRAM.format(folder=folder, names=names, arrays=arrays)
    return subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode


_PROGRAM = """
import sys, time, warnings
sys.path.insert(0, {folder!r})
sys.meta_path = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
import commonground.kernels
assert commonground.__file__.startswith({folder!r}), commonground.__file__
from importlib import import_module
from hypothesis import HealthCheck, Phase, given, settings
from hostile_arrays import ENTRIES
from test_kernels import outcome

chosen = [entry for entry in ENTRIES if entry[0] in {names!r}]
share = {arrays} // len(chosen)
for module, function in chosen:
    assert import_module(f"commonground.kernels._{{module}}").__file__.startswith({folder!r})
    start, refused = time.process_time(), 0

    @settings(max_examples=share, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @given(ENTRIES[module, function])
    def tried(arguments):
        global refused
        one, two = (outcome(name, function, arguments) for name in (module, f"_{{module}}"))
        refused += isinstance(one, str)
        assert one == two, (arguments, one, two)

    tried()
    print(f"{{module}}.{{function}}: {{share:,}} hostile arrays, {{refused:,}} refused, "
          f"{{time.process_time() - start:.0f}} s", flush=True)
"""


if __name__ == "__main__":
    sys.exit(main())
