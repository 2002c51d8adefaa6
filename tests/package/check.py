"""Builds sdist and wheel, installs the wheel on its own, and uses what is installed: ``make test-package``.

Needs the package index that pip is set up with; nothing of the source tree is on the path of what is tried.
"""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IN_SDIST = ("systemd/soong-memoryd.service", "man/soong-memoryctl.1", "completions/soong-memoryctl.fish", "LICENSE", "Makefile")
IN_WHEEL = (
    "soong_memoryd/units/soong-memoryd.service",
    "soong_memoryd/units/soong-memoryd.socket",
    "soong_memoryd/units/hardening.conf",
    "soong_memoryd/units/launchd/com.soong.memoryd.plist",
    "soong_memoryd/cli/viewer/page.html",
    "soong_memoryd/cli/viewer/page.js",
    "soong_memoryd/state/migrations/0001_initial.sql",
    "soong_memory_client/py.typed",
    "soong_memory_js/opencode/soong-memory.js",
    "soong_memory_js/node/client.js",
    "soong_agent_takeover.py",
    "share/man/man1/soong-memoryctl.1",
    "share/man/man1/soong-memoryd.1",
    "share/man/man5/memoryd.toml.5",
    "share/bash-completion/completions/soong-memoryctl",
    "share/zsh/site-functions/_soong-memoryctl",
    "share/fish/vendor_completions.d/soong-memoryctl.fish",
)


def run(*argv: str | Path, home: Path | None = None) -> str:
    """What a program prints; an error when it fails."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SOONG_", "VIRTUAL_ENV"))}
    if home is not None:
        env["SOONG_AGENT_HOME"] = str(home)
    done = subprocess.run([str(part) for part in argv], capture_output=True, text=True, env=env, cwd="/", check=False)
    assert done.returncode == 0, f"{argv[0]} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def build(into: Path) -> tuple[Path, Path]:
    """sdist and wheel; the wheel is built from the unpacked sdist, as an index would have it."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(into)], cwd=ROOT, check=True)
    sdist = next(into.glob("*.tar.gz"))
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)  # 3.11.3 and before: none
        archive.extractall(into / "unpacked")
    assert set(IN_SDIST) <= names, set(IN_SDIST) - names
    source = next((into / "unpacked").iterdir())
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(into), str(source)], check=True)
    wheel = next(into.glob("*.whl"))
    inside = zipfile.ZipFile(wheel).namelist()
    missing = [name for name in IN_WHEEL if not any(found.endswith(name) for found in inside)]
    assert missing == [], missing
    return sdist, wheel


def use(environment: Path, home: Path) -> None:
    """Everything that reads a file of the package."""
    ctl, daemon = environment / "bin" / "soong-memoryctl", environment / "bin" / "soong-memoryd"
    assert run(ctl, "--version").startswith("soong-memoryctl ")
    run(ctl, "config", "init", "--provider", "builtin", home=home)
    assert "builtin" in run(daemon, "serve", "--check-config", home=home)
    units = json.loads(run(ctl, "service", "install", "--print", "--json", home=home))["data"]["printed"]
    assert f"ExecStart={daemon} serve --home {home}" in units["soong-memoryd.service"]
    assert f"ListenStream={home}/memoryd/memoryd.sock" in units["soong-memoryd.socket"]
    script = "from soong_memoryd.cli.service.units import launch_agent, Place; from pathlib import Path; import sys; "
    script += "sys.stdout.buffer.write(launch_agent(Place(('/x',), Path('/h'), Path('/h/memoryd/memoryd.sock'))))"
    assert plistlib.loads(run(environment / "bin" / "python", "-I", "-c", script).encode())["Label"] == "com.soong.memoryd"
    shown = run("env", f"HOME={home}", ctl, "connect", "opencode", "--dry-run", "--json", home=home / "another")
    connected = json.loads(shown)["data"]["changes"][0]["difference"]
    [plugin] = [
        word for line in connected for word in line.split('"') if word.endswith("/soong_memory_js/opencode/soong-memory.js")
    ]
    if shutil.which("node"):
        loaded = f"import({json.dumps(plugin)}).then((plugin) => console.log(Object.keys(plugin).join()))"
        assert run("node", "--input-type=module", "-e", loaded) == "default\n"
    for shell in ("bash", "zsh", "fish"):
        assert "soong-memoryctl" in run(ctl, "completion", shell)
    assert (environment / "share" / "man" / "man1" / "soong-memoryctl.1").exists()
    print(run(daemon, "demo", home=home / "demo").splitlines()[-1])


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        sdist, wheel = build(place)
        environment = place / "environment"
        venv.create(environment, with_pip=True)
        run(environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        home = place / "home"
        home.mkdir(mode=0o700)
        use(environment, home)
        print(f"{sdist.name} ({sdist.stat().st_size >> 10} KiB) and {wheel.name} ({wheel.stat().st_size >> 10} KiB) work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
