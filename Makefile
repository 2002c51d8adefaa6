# Everything a developer types. `make demo` and `make test` set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup demo demo-agents test-mcp test-opencode test-frameworks test test-package test-systemd test-view check bench bench-cost bench-pictures eval docs crash security lock clean

setup: $(STAMP)

$(STAMP): requirements-dev.lock pyproject.toml
	@echo "setting up $(VENV): a minute or two, the first time only"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(STAMP)

demo: setup
	$(BIN)/soong-memoryd demo

# Each agent's real hooks and MCP server, as `connect` configures them: what one is told, the next one knows.
demo-agents: setup
	$(BIN)/python -m tests.demo_agents

# One test process for each core; `.venv/bin/python -m pytest tests/…` runs some of them in one.
test: check
	$(BIN)/python -m pytest -n auto --dist worksteal

# Builds sdist and wheel, installs the wheel into a fresh environment, and uses what is installed.
test-package: setup
	$(BIN)/python -m tests.package.check

# A real `systemd --user` with the real units: needs root, namespaces and an ordinary user (SOONG_TEST_USER, default nobody).
test-systemd: setup
	$(BIN)/python -m tests.service.session

# The page of `soong-memoryctl view` in a headless Chromium (Debian: apt-get install chromium).
test-view: setup
	$(BIN)/python -m tests.view.browser

# The official MCP client against our server, in an environment of its own.
test-mcp:
	$(PYTHON) -m venv $(VENV)-mcp
	$(VENV)-mcp/bin/pip install --quiet --disable-pip-version-check "mcp>=2,<3" pytest pytest-timeout
	$(VENV)-mcp/bin/python -m pytest tests/clients/mcp/test_official_client.py

# The real opencode with our plugin, and the plugin against the types that opencode publishes (npm's registry, 400 MB).
test-opencode: setup
	npm install --silent --no-audit --no-fund --prefix $(VENV)-opencode opencode-ai@1 @opencode-ai/plugin@1 typescript @types/node
	$(BIN)/python -m tests.clients.opencode.real $(VENV)-opencode

# The examples against the real OpenAI Agents SDK, LangGraph and pydantic-ai, in an environment of their own.
test-frameworks:
	$(PYTHON) -m venv $(VENV)-frameworks
	$(VENV)-frameworks/bin/pip install --quiet --disable-pip-version-check --editable . \
	  "openai-agents>=0.24,<1" "langgraph>=1.2,<2" "pydantic-ai-slim>=2.68,<3" pytest pytest-timeout
	$(VENV)-frameworks/bin/python -m pytest tests/clients/test_frameworks.py

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.docs_current

docs: setup
	$(BIN)/python -m tests.docs_current --write

bench: setup
	$(BIN)/python -m bench

bench-cost: setup
	$(BIN)/python -m bench.cost

# How cost grows, drawn from the last `make bench` and `make bench-cost` into docs/pictures.
bench-pictures: $(VENV)/.eval
	$(BIN)/python -m bench.curves $(wildcard bench/results/latest.json bench/results/cost.json)

# MODEL_CONFIG=path evaluates the model of that memoryd.toml; without it the scripted model shows that the harness works.
eval: $(VENV)/.eval
	$(BIN)/python -m bench.eval $(if $(MODEL_CONFIG),--config "$(MODEL_CONFIG)",--scripted) $(EVAL)

# matplotlib, for the report's pictures: only who evaluates needs it.
$(VENV)/.eval: $(STAMP) bench/eval/requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r bench/eval/requirements.lock
	touch $(VENV)/.eval

crash: setup
	$(BIN)/python -m tests.crash

# Red team, paths, confinement and canaries, then their figures in one table.
security: setup
	$(BIN)/python -m pytest tests/security
	$(BIN)/python -m tests.security.report

# Pins every development dependency with its hashes; no index is named in it.
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet pip-tools
	$(VENV)-lock/bin/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-emit-options --no-header --extra dev --output-file requirements-dev.lock pyproject.toml
	$(VENV)-lock/bin/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-emit-options --no-header --constraint requirements-dev.lock --output-file bench/eval/requirements.lock \
	  bench/eval/requirements.in
	rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) $(VENV)-lock $(VENV)-mcp $(VENV)-frameworks $(VENV)-opencode build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
