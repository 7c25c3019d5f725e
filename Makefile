# make demo   installs into .venv and runs the bundled example
# make test   runs the tests
# make quick  runs the tests that need no other data, with few examples each: about a minute
# make laws   tries every law on two thousand examples: an hour
# make check  linting, types, order of the rooms
# make bench  speed, against other programs in the same run; writes docs/performance.md
# make history   instruction counts of common commands, kept from run to run
# make bench-training   the parsers: accuracy, time, memory
# make fuzz   gives damaged files of all kinds to all verbs, for SECONDS=60
# make kill   kills every writing verb a hundred times
# make soak   asks a server 10,000 times, and while others hold 2,200 of its connections
# make sanitize   runs the kernels, built with sanitizers, on hostile arrays
# make docs   the documentation as HTML in site/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard src/commonground/kernels/*.pyx src/commonground/kernels/*.pxd src/commonground/schemes/*.py src/commonground/report/drawing/*.py)

.PHONY: demo test quick laws fuzz kill soak sanitize check bench history bench-training docs clean

demo: $(VENV)/installed
	$(BIN)/commonground demo

test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n auto --dist worksteal -q

quick: $(VENV)/installed-test
	$(BIN)/python -m pytest -n auto --dist worksteal -q --quick

laws: $(VENV)/installed-test
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto --dist worksteal -q tests

SECONDS ?= 60
fuzz: $(VENV)/installed-test
	$(BIN)/python fuzz/run.py --seconds $(SECONDS)

kill: $(VENV)/installed-test
	$(BIN)/python fuzz/kill.py

soak: $(VENV)/installed-test
	$(BIN)/python fuzz/soak.py
	$(BIN)/python fuzz/soak.py --idle 2000 --slow 200

sanitize: $(VENV)/installed-test
	$(BIN)/python fuzz/sanitize.py

check: $(VENV)/installed-check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-bench
	$(BIN)/python benchmarks/run.py

history: $(VENV)/installed-test
	$(BIN)/python benchmarks/history.py

bench-training: $(VENV)/installed
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/run.py --only aligning,gold_alignments,unsupervised

docs: $(VENV)/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) build dist site

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The stamp files say which extras are installed; they are older than what they depend on when an
# install is due. What builds the kernels stays in .venv, so that only those that changed are built.
$(VENV)/build-tools: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], 'cmake>=3.20', 'ninja', sep='\n')" > $@.txt
	$(PIP) --requirement $@.txt
	@touch $@

$(VENV)/installed: $(VENV)/build-tools $(SOURCES)
	$(PIP) --no-build-isolation --editable .
	@$(BIN)/commonground --version
	@touch $@

# What is installed already is not built again: only the packages of the extra are added.
$(VENV)/installed-%: $(VENV)/installed
	$(PIP) 'commonground[$*]'
	@touch $@
