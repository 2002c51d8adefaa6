"""The house rules that no linter knows: sizes, docstrings that say what a module owns, purity, doors to foreign libraries."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "soong_memoryd"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
CLIENTS = sorted(path for path in (ROOT / "clients").rglob("*.py") if path.parent.name != "examples")  # those show a package
EXAMPLES = sorted((ROOT / "clients" / "examples").glob("*.py"))
SCRIPTS = sorted((ROOT / "clients").rglob("*.js"))

PURE = [
    "text",
    "protocol",
    "sessions/triggers.py",
    "sessions/schedule.py",
    "sessions/roles.py",
    "sessions/arrival.py",
    "memories/document.py",
    "memories/naming.py",
    "memories/catalog.py",
    "memories/evidence.py",
    "memories/index.py",
    "memories/writer.py",
    "extraction/window.py",
    "extraction/prompt.py",
    "extraction/provenance.py",
    "extraction/traces.py",
    "extraction/tools.py",
    "recall/packing.py",
    "recall/selector.py",
    "recall/lexical.py",
]
IMPURE_IMPORTS = {
    "os",
    "time",
    "random",
    "secrets",
    "socket",
    "asyncio",
    "anyio",
    "sqlite3",
    "structlog",
    "logging",
    "subprocess",
    "threading",
}
DOORS = {
    "jsonrpcserver": "server/dispatch.py",
    "aiosqlite": "state/database.py",
    "openai": "llm/client.py",
    "frontmatter": "memories/document.py",
    "ctypes": "kernel.py",
}


def name(path: Path) -> str:
    return str(path.relative_to(PACKAGE if PACKAGE in path.parents else ROOT))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


def pure_modules() -> list[Path]:
    chosen = [PACKAGE / entry for entry in PURE]
    return sorted(path for entry in chosen for path in (entry.rglob("*.py") if entry.is_dir() else [entry]))


@pytest.mark.rule("house.sizes")
@pytest.mark.parametrize("path", [*MODULES, *CLIENTS, *SCRIPTS], ids=name)
def test_no_module_is_over_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.rule("house.sizes")
def test_the_median_module_is_short():
    sizes = sorted(len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES if path.name != "__init__.py")
    assert sizes[len(sizes) // 2] <= 180


@pytest.mark.rule("house.owns")
@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if p.name != "__init__.py" and "queries" not in p.parts and "languages" not in p.parts],
    ids=name,
)
def test_a_module_says_what_it_owns(path):
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert docstring, f"{name(path)} has no docstring"
    assert "Owns" in docstring or len(docstring.splitlines()) <= 3, f"{name(path)}: say what it owns and what it must not know"


@pytest.mark.rule("house.owns")
@pytest.mark.parametrize("path", [*CLIENTS, *EXAMPLES, *SCRIPTS], ids=name)
def test_a_clients_file_says_what_it_owns(path):
    head = path.read_text(encoding="utf-8")[:1500]
    assert "Owns: " in head or "Generated" in head or path.stem in ("__init__", "index")


@pytest.mark.rule("house.pure")
@pytest.mark.parametrize("path", pure_modules(), ids=name)
def test_a_pure_module_reaches_for_nothing_outside(path):
    assert imported(path) & IMPURE_IMPORTS == set()
    source = path.read_text(encoding="utf-8")
    assert "await " not in source and "open(" not in source.replace("_open(", "")


@pytest.mark.rule("house.doors")
@pytest.mark.parametrize(("library", "door"), DOORS.items())
def test_a_foreign_library_has_one_door(library, door):
    users = {name(path) for path in MODULES if library in imported(path)}
    assert users <= {door}


@pytest.mark.rule("cli.standard-library-only")
def test_command_line_and_clients_import_nothing_that_has_to_be_installed():
    import sys

    allowed = set(sys.stdlib_module_names) | {
        "soong_memory_client",
        "soong_memoryd",
        "soong_claude_code",
        "soong_memory_hook",
        "soong_memory_hook_events",
        "soong_memory_mcp",
        "soong_memory_mcp_offer",
        "soong_claude_transcript",
        "soong_agent_files",
        "soong_agent_nodes",
    }
    for path in [*CLIENTS, *(PACKAGE / "cli").rglob("*.py")]:
        assert imported(path) <= allowed, name(path)
