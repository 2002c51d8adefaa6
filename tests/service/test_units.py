"""The service's files: what is in them, and that those who read them take them."""

from __future__ import annotations

import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from soong_memoryd.cli.daemon import EXIT_USAGE
from soong_memoryd.cli.service.units import Place, launch_agent, source_directory, systemd_files
from soong_memoryd.server import process
from soong_memoryd.server.config_report import EXIT_CONFIG

HOME = Path("/home/me/my agents/100%")
PLACE = Place(("/opt/my tools/soong-memoryd",), HOME, HOME / "memoryd" / "memoryd.sock")


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.rule("service.units")
def test_the_units_have_the_real_paths_with_nothing_to_expand() -> None:
    files = systemd_files(PLACE, hardened=True)
    service = lines(files["soong-memoryd.service"])
    assert 'ExecStart="/opt/my tools/soong-memoryd" serve --home "/home/me/my agents/100%%"' in service
    assert "EnvironmentFile=-/home/me/my agents/100%%/memoryd/env" in service
    assert "ListenStream=/home/me/my agents/100%%/memoryd/memoryd.sock" in lines(files["soong-memoryd.socket"])
    assert 'ReadWritePaths=-"/home/me/my agents/100%%"' in lines(files["soong-memoryd.service.d/hardening.conf"])


@pytest.mark.rule("service.units")
def test_a_socket_elsewhere_is_named_to_the_daemon_as_well() -> None:
    elsewhere = PLACE._replace(home=Path("/h"), socket=Path("/run/user/1000/m.sock"), program=("/x",))
    files = systemd_files(elsewhere)
    assert "ExecStart=/x serve --home /h --socket /run/user/1000/m.sock" in lines(files["soong-memoryd.service"])
    assert "ListenStream=/run/user/1000/m.sock" in lines(files["soong-memoryd.socket"])


@pytest.mark.rule("service.units")
def test_the_unit_restarts_for_what_a_restart_mends_and_for_nothing_else() -> None:
    text = (source_directory() / "soong-memoryd.service").read_text(encoding="utf-8")
    (prevented,) = re.findall(r"^RestartPreventExitStatus=(.*)$", text, re.MULTILINE)
    codes = {int(code) for code in prevented.split()}
    assert codes == {EXIT_USAGE, process.EXIT_RUNNING, EXIT_CONFIG}
    assert process.EXIT_RECOVER not in codes and "Restart=on-failure" in text
    assert "Type=notify" in text and "WatchdogSec=60" in text


@pytest.mark.rule("service.units")
def test_only_what_works_without_a_namespace_is_in_the_unit_itself() -> None:
    needs_one = re.compile(
        r"^(Protect|Private|ReadWritePaths|ReadOnlyPaths|InaccessiblePaths|Capability|TemporaryFile|RemoveIPC|User=|Group=)"
    )
    assert [line for line in lines(systemd_files(PLACE)["soong-memoryd.service"]) if needs_one.match(line)] == []
    drop_in = lines((source_directory() / "hardening.conf").read_text(encoding="utf-8"))
    assert "PrivateUsers=yes" in drop_in and all(needs_one.match(line) for line in drop_in if line != "[Service]")


@pytest.mark.rule("service.units")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed here")
    program = tmp_path / "soong-memoryd"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    place = Place((str(program),), tmp_path / "home", tmp_path / "home" / "memoryd" / "memoryd.sock")
    for name, text in systemd_files(place, hardened=True).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(re.sub("^Documentation=.*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    env = {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = [analyze, "--user", "verify", str(tmp_path / "soong-memoryd.socket"), str(tmp_path / "soong-memoryd.service")]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.rule("service.launchd")
def test_the_launch_agent_has_whole_paths_and_restarts_after_failures_only() -> None:
    agent = plistlib.loads(launch_agent(PLACE))
    assert agent["ProgramArguments"] == ["/opt/my tools/soong-memoryd", "serve", "--home", str(HOME)]
    assert agent["StandardErrorPath"] == f"{HOME}/memoryd/log"
    assert agent["KeepAlive"] == {"SuccessfulExit": False}, "keys are joined by or: one alone"
    assert (agent["Label"], agent["ThrottleInterval"], agent["Umask"]) == ("com.soong.memoryd", 30, 0o077)
