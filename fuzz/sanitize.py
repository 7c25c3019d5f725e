"""Build the kernels with AddressSanitizer and UndefinedBehaviorSanitizer, and try hostile arrays.

    python fuzz/sanitize.py --arrays 100000

The kernels are compiled into a folder of their own, and a second Python, with the sanitizer's
library loaded, gives them the arrays of tests/support/hostile_arrays.py: each entry of each kernel
gets its share. Then the tests of the kernels are run with them. Whatever the sanitizers find ends
that Python with their report. With --folder, what was built is kept for the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "commonground"
SUPPORT = [str(ROOT / "tests" / room) for room in ("support", "kernels")]
FLAGS = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]
STRICT = ["-fno-sanitize-recover=undefined", "-fno-sanitize=alignment"]
TESTS = (
    "test_kernels.py",
    "test_brackets.py",
    "test_decoders.py",
    "test_dmv_kernel.py",
    "test_graph_matching.py",
    "test_linear.py",
    "test_sparse.py",
    "test_subtrees.py",
    "test_tabulate.py",
    "test_transitions.py",
    "test_tree_distance.py",
    "test_word_alignment.py",
)
"""The tests of the kernels."""

SLOW = 1000
"""So many arrays are drawn by Hypothesis for an entry; the others have more."""

DIRECTIVES = ("boundscheck=False", "wraparound=False", "initializedcheck=False", "cdivision=True")


def main() -> int:
    """Build, run, and return 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arrays", type=int, default=100_000)
    parser.add_argument("--kernels", default="")
    parser.add_argument("--folder", default="", help="build here, and keep what was built")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-tests", action="store_true", help="only the arrays")
    options = parser.parse_args()
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        print("there is no C compiler")
        return 2
    with contextlib.ExitStack() as stack:
        folder = options.folder or stack.enter_context(tempfile.TemporaryDirectory())
        package = Path(folder).resolve() / "commonground"
        ignored = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(SOURCE, package, ignore=ignored, dirs_exist_ok=True)
        names = options.kernels.split(",") if options.kernels else _kernels()
        needed = _with_imported(names) if options.no_tests else _kernels()  # tests need all
        for name in needed:
            _build(compiler, package / "kernels", name)
        return _run(compiler, str(package.parent), names, options)


def _kernels() -> list[str]:
    sys.path[:0] = SUPPORT
    from hostile_arrays import ENTRIES

    return sorted({module for module, _ in ENTRIES})


def _with_imported(names: list[str]) -> list[str]:
    """Return kernels and those that they import."""
    every = list(names)
    for name in every:  # which grows
        text = (SOURCE / "kernels" / f"_{name}.pyx").read_text(encoding="utf-8")
        found = re.findall(r"from commonground\.kernels\._(\w+) (?:c?import)", text)
        every += [each for each in dict.fromkeys(found) if each not in every]
    return every


def _build(compiler: str, folder: Path, name: str) -> None:
    source = folder / f"_{name}.pyx"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    target = folder / f"_{name}{suffix}"
    inputs = [source, *folder.glob("*.pxd")]
    if target.exists() and target.stat().st_mtime > max(path.stat().st_mtime for path in inputs):
        return
    print(f"building {name}", flush=True)
    directives = [word for each in DIRECTIVES for word in ("-X", each)]
    cython = [sys.executable, "-m", "cython", "-3", *directives, str(source)]
    subprocess.run(cython, check=True, cwd=folder.parents[1])
    include = sysconfig.get_paths()["include"]
    line = [compiler, "-shared", "-fPIC", *FLAGS, *STRICT, f"-I{include}"]
    subprocess.run([*line, str(source.with_suffix(".c")), "-o", str(target)], check=True)


def _run(compiler: str, folder: str, names: list[str], options: argparse.Namespace) -> int:
    library = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONPATH": os.pathsep.join([folder, *SUPPORT]),
        "PYTHONMALLOC": "malloc",
        "HYPOTHESIS_PROFILE": "quick",
    }
    paths = [str(path) for path in _draw(folder, names, options)]
    programs = [_ARRAYS.format(paths=paths)]
    if not options.no_tests:
        tests = [str(path) for name in TESTS for path in (ROOT / "tests").glob(f"*/{name}")]
        programs.append(_TESTS.format(tests=tests))
    for program in programs:  # each in a Python of its own: pytest wants to be the first
        line = [sys.executable, "-c", _START.format(folder=folder) + program]
        if code := subprocess.run(line, env=environment, check=False).returncode:
            return code
    return 0


def _draw(folder: str, names: list[str], options: argparse.Namespace) -> list[Path]:
    """Draw hostile arrays and write them with what the plain kernels say, here, where it is quick.

    Each entry of each kernel has a file.
    """
    sys.path[:0] = SUPPORT
    import numpy as np
    from hostile_arrays import ENTRIES
    from hostile_models import MAKERS
    from test_kernels import outcome

    chosen = [entry for entry in ENTRIES if entry[0] in names]
    slow = [entry for entry in chosen if entry not in MAKERS]  # Hypothesis draws them
    few = min(SLOW, options.arrays // len(chosen))
    many = -(-(options.arrays - few * len(slow)) // max(1, len(chosen) - len(slow)))
    paths = []
    for module, function in chosen:
        path = Path(folder) / f"{module}.{function}.arrays"
        if (module, function) in MAKERS:
            make = MAKERS[module, function]
            given = [make(np.random.default_rng([options.seed, i])) for i in range(many)]
        else:
            given = _drawn(ENTRIES[module, function], few, options.seed)
        told = [outcome(module, function, arguments) for arguments in given]
        path.write_bytes(pickle.dumps((module, function, given, told)))
        refused = sum(isinstance(each, str) for each in told)
        print(
            f"{module}.{function}: {len(given):,} hostile arrays, {refused:,} refused", flush=True
        )
        paths.append(path)
    return paths


def _drawn(strategy, share, number):
    from hypothesis import HealthCheck, Phase, given, seed, settings

    results = []
    everything = list(HealthCheck)

    @seed(number)
    @settings(max_examples=share, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=everything)  # fmt: skip
    @given(strategy)
    def keep(arguments):
        results.append(arguments)

    keep()
    return results


_START = """
import os, pickle, sys, time
sys.path.insert(0, {folder!r})
sys.meta_path = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
import commonground.kernels
assert commonground.__file__.startswith({folder!r}), commonground.__file__
"""

_ARRAYS = """
from importlib import import_module
from test_kernels import outcome

total, start = 0, time.process_time()
for path in {paths!r}:
    with open(path, "rb") as file:
        module, function, given, told = pickle.load(file)
    kernel = import_module(f"commonground.kernels._{{module}}")
    assert kernel.__file__.startswith(os.path.dirname(commonground.__file__))
    for arguments, plain in zip(given, told, strict=True):
        compiled = outcome(f"_{{module}}", function, arguments)
        assert compiled == plain, (module, function, arguments, compiled, plain)
    total += len(given)
    print(f"{{module}}.{{function}}: done", flush=True)
seconds = time.process_time() - start
print(f"{{total:,}} hostile arrays in {{seconds:.0f}} s: nothing found", flush=True)
"""

_TESTS = """
import pytest
os.environ["COMMONGROUND_KERNELS"] = "compiled"
options = "-q -x -n 0 -p no:cacheprovider".split()
sys.exit(int(pytest.main([*options, *{tests!r}])))
"""


if __name__ == "__main__":
    sys.exit(main())
