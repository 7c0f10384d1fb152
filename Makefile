# Everything a person types after cloning; each target sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= connect_four
CLOCK ?= 0.5
HOST ?= 127.0.0.1
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help play web test test-all test-compiler test-peers test-lowest lint docs conformance interop bench mutants pictures bitcode peers clean

help:  ## Show what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

play: $(VENV)/.ready  ## Watch a match (GAME=chess CLOCK=1)
	@$(BIN)/ludens match $(GAME) --clock $(CLOCK)

web: $(VENV)/.ready-web  ## Play, watch and explore in the browser (HOST=0.0.0.0 for other machines, too)
	@$(BIN)/ludens web --host $(HOST)

# Types and layers are checked beside the tests: mypy alone would leave a core idle. Their verdict comes at the end.
test: $(VENV)/.ready-dev  ## Linters, types, layers and tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@verdict=$$(mktemp); \
	{ $(BIN)/mypy && $(BIN)/lint-imports; } >"$$verdict" 2>&1 & \
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"; tests=$$?; \
	wait $$!; types=$$?; cat "$$verdict"; rm "$$verdict"; exit $$((tests ? tests : types))

test-all: lint  ## The same with the slow tests, and more examples of properties
	$(BIN)/pytest -n 2 --hypothesis-profile=thorough

test-compiler: $(VENV)/.ready-dev  ## The tests of the compiler, for a lesser processor: LUDENS_CPU=avx2 or sse2
	$(BIN)/pytest -n 2 -m "not slow" tests/compiler

test-peers: $(VENV)/.ready-dev  ## Only the tests that need other programs and packages, after 'make peers' (RULES=… as below)
	PATH="$$PATH:/usr/games" $(if $(RULES),LUDENS_CONFORMANCE=$(abspath $(RULES))) $(BIN)/pytest -n 2 -m "peer and not slow"

test-lowest:  ## Smoke tests with the lowest versions that pyproject.toml declares, in .cache/lowest
	PYTHON="$(PYTHON)" .ci/lowest

lint: $(VENV)/.ready-dev  ## Linters, types and layers only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.ready-docs  ## The guide as a site: site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

conformance: $(VENV)/.ready-dev  ## Replay recorded playouts: RULES=FOLDER with rules/NAME.kif and traces/NAME.jsonl.gz; writes docs/conformance.md
	@test -n "$(RULES)" || { echo "make conformance RULES=FOLDER: a folder with rules/NAME.kif, traces/NAME.jsonl.gz and edge/"; exit 2; }
	$(BIN)/python -m tests.conformance.run $(RULES) --write docs/conformance.md

interop: $(VENV)/.ready-dev  ## Play all sheets of RULES=FOLDER with another GGP system: PLAYERS=URL,URL that run, SERVER='command with {rules} {start} {play} {addresses}'
	@test -n "$(RULES)" || { echo "make interop RULES=FOLDER PLAYERS=URL,URL SERVER=COMMAND: a folder with NAME.kif, and one of the others"; exit 2; }
	$(BIN)/python -m benchmarks.interop $(RULES) $(if $(PLAYERS),--players '$(PLAYERS)') $(if $(SERVER),--server '$(SERVER)')

bench: $(VENV)/.ready-dev  ## Measure playouts beside SWI-Prolog, start-up and cold starts: of the shelf's rule sheets or of RULES=FOLDER with rules/NAME.kif
	$(BIN)/python -m benchmarks.playouts $(if $(RULES),--rules $(RULES)/rules --write docs/benchmarks.md)
	$(BIN)/python -m benchmarks.startup $(if $(RULES),--write docs/benchmarks.md)
	$(BIN)/python -m benchmarks.cold $(if $(RULES),--rules $(RULES)/rules --write docs/benchmarks.md)

mutants: $(VENV)/.ready-dev  ## How many small mistakes in the lower layers the tests notice: about an hour
	$(BIN)/python -m benchmarks.mutants --seed 1 --count 300

pictures: $(VENV)/.ready-dev  ## Play in a browser, and keep pictures of the pages in docs/pictures (RULES=FOLDER: of public sheets, too)
	LUDENS_PICTURES=1 $(BIN)/pytest tests/e2e -n 1
	$(BIN)/python -m benchmarks.pictures.contact_sheet docs/pictures/drawings.png
	$(BIN)/python -m benchmarks.pictures.gallery docs $(if $(RULES),--sheets $(RULES)/rules)

bitcode: $(VENV)/.ready-dev  ## Compile the C++ to the bitcode that is shipped: after a change, with clang++-19
	$(BIN)/python -m ludens.compiler.native.bitcode $$(find src -path '*/source/*.cpp')

peers: $(VENV)/.ready-dev  ## Install what 'make test-peers' needs: SWI-Prolog, GNU Go, GNU Backgammon, Stockfish, PostgreSQL, Chromium, g++, Clang, QEMU (Debian, as root or with sudo), OpenSpiel, …
	@$(PIP_INSTALL) --editable '.[dev,openspiel,postgresql]' || echo "no OpenSpiel: its tests are skipped"
	@$(PIP_INSTALL) --editable '.[dev,peers]' || echo "no python-chess, no python-shogi, no Playwright: their tests are skipped"
	@$(PIP_INSTALL) --editable '.[dev,neural]' || echo "no PyTorch: its tests are skipped"
	@$(PIP_INSTALL) --editable '.[dev,baselines]' || echo "no Stable-Baselines3: its example is not run"
	@$(PIP_INSTALL) --editable '.[dev,mcp]' || echo "no MCP client: its tests are skipped"
	@$(PIP_INSTALL) --editable '.[dev,cluster]' || echo "no Ray: its tests are skipped"
	@$(PIP_INSTALL) --editable '.[dev,docs]' || echo "no MkDocs: the site is not built"
	@npm install --prefix .cache/axe --no-audit --no-fund --ignore-scripts --silent axe-core@4.14.0 || echo "no npm: the pages are not checked by axe-core"
	@export PATH="$$PATH:/usr/games"; command -v swipl gnugo gnubg stockfish chromium g++ clang++-19 cmake llvm-mc qemu-aarch64 aarch64-linux-gnu-gcc openssl >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null \
		|| { $(SUDO) apt-get update --quiet=2 && $(SUDO) apt-get install --yes --quiet=2 swi-prolog-nox gnugo gnubg stockfish postgresql chromium g++ clang-19 cmake llvm qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross openssl; }

clean:  ## Remove the virtual environment and caches
	rm -rf $(VENV) .cache site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ludens needs Python 3.11 or newer; set PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.ready-web: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[arena,web]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.ready $(VENV)/.ready-web

$(VENV)/.ready-docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[docs]'
	@touch $@ $(VENV)/.ready
