"""Installing the service: what is written, what the supervisor is asked, and when it is refused."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli import daemon_config
from soong_memoryd.cli.commands import service
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.service.supervisors import Launchd, supervisor
from soong_memoryd.cli.service.units import Place
from tests.cli.scene import Ran, run
from tests.cli.system_scene import REPORT, Systemd, settle


@pytest.fixture
def install(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    settle(daemon)
    monkeypatch.setattr(daemon_config, "report", lambda home, env: REPORT)

    def install(systemd: Systemd, *argv: str) -> Ran:
        return run(daemon, "service", *argv, HOME=str(tmp_path), **systemd.env)

    return install


@pytest.mark.rule("service.install")
def test_units_with_the_real_paths_are_written_enabled_and_started(install: Any, daemon: FakeDaemon, tmp_path: Path) -> None:
    systemd = Systemd(tmp_path)
    assert install(systemd, "install").code == Exit.OK
    directory = tmp_path / ".config" / "systemd" / "user"
    assert sorted(path.name for path in directory.iterdir()) == ["soong-memoryd.service", "soong-memoryd.socket"]
    assert f"ListenStream={daemon.home}/memoryd/memoryd.sock" in (directory / "soong-memoryd.socket").read_text("utf-8")
    unit = (directory / "soong-memoryd.service").read_text("utf-8")
    assert f"serve --home {daemon.home}\n" in unit and f"EnvironmentFile=-{daemon.home}/memoryd/env\n" in unit
    assert stat.S_IMODE((directory / "soong-memoryd.socket").stat().st_mode) == 0o644
    assert systemd.asked == [
        "daemon-reload",
        "enable soong-memoryd.service soong-memoryd.socket",
        "stop soong-memoryd.service",
        "restart soong-memoryd.socket",
        "reset-failed soong-memoryd.service",
        "start soong-memoryd.socket soong-memoryd.service",
    ]


@pytest.mark.rule("service.install")
def test_hardening_comes_and_goes_with_its_flag_and_uninstalling_removes_everything(
    install: Any, daemon: FakeDaemon, tmp_path: Path
) -> None:
    systemd = Systemd(tmp_path)
    drop_in = tmp_path / ".config/systemd/user/soong-memoryd.service.d/hardening.conf"
    install(systemd, "install", "--hardened")
    assert f"ReadWritePaths=-{daemon.home}\n" in drop_in.read_text("utf-8")
    install(systemd, "install")
    assert not drop_in.exists()
    ran = install(systemd, "uninstall")
    assert ran.out.count("removed: ") == 2 and "memories and state stay" in ran.out
    assert "disable --now soong-memoryd.socket soong-memoryd.service" in systemd.asked


@pytest.mark.rule("service.install")
def test_a_daemon_started_by_hand_a_broken_config_and_a_refusal_stop_the_installation(
    install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = install(Systemd(tmp_path / "a", pid=7), "install")
    assert ran.code == Exit.CONFLICT and "soong-memoryctl stop" in ran.err
    ran = install(Systemd(tmp_path / "b", refused='"enable "'), "install")
    assert ran.code == Exit.FAILED and "Unit is masked." in ran.err
    monkeypatch.setattr(daemon_config, "report", lambda home, env: {"problem": "memoryd.toml:1: no"})
    assert install(Systemd(tmp_path / "c"), "install").code == Exit.PROBLEMS_FOUND


@pytest.mark.rule("service.install")
def test_a_service_that_does_not_answer_is_a_failure_that_names_the_log(
    install: Any, daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "START_SECONDS", 0.05)
    daemon.stop()
    ran = install(Systemd(tmp_path), "start")
    assert ran.code == Exit.FAILED and "soong-memoryctl service logs" in ran.err


def test_the_files_can_be_looked_at_without_a_supervisor(daemon: FakeDaemon) -> None:
    ran = run(daemon, "service", "install", "--print", "--json", PATH="/nowhere")
    assert set(json.loads(ran.out)["data"]["printed"]) == {"soong-memoryd.service", "soong-memoryd.socket"}
    assert "Type=notify" in run(daemon, "service", "install", "--print").out


@pytest.mark.rule("service.logs")
def test_logs_are_lines_and_narrowed_to_the_service(install: Any, tmp_path: Path) -> None:
    ran = install(Systemd(tmp_path), "logs", "-n", "5", "-f", "--json")
    lines = [json.loads(line)["data"]["line"] for line in ran.out.splitlines()]
    assert lines == ["--user --unit soong-memoryd.service --lines 5 --no-pager --output short-iso --follow", "依赖 ready"]


@pytest.mark.rule("service.launchd")
def test_launchd_is_asked_in_the_users_session(tmp_path: Path) -> None:
    launchctl = tmp_path / "launchctl"
    launchctl.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n', encoding="utf-8")
    launchctl.chmod(0o700)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    chosen = supervisor(env, tmp_path / "home", "darwin")
    assert isinstance(chosen, Launchd)
    (written,) = chosen.install(Place(("/opt/soong-memoryd",), tmp_path, tmp_path / "memoryd/memoryd.sock"), hardened=False)
    assert written == tmp_path / "Library/LaunchAgents/com.soong.memoryd.plist"
    chosen.start()
    chosen.stop()
    assert chosen.uninstall() == [written] and chosen.uninstall() == []
    verbs = [line.split()[0] for line in (tmp_path / "asked").read_text(encoding="utf-8").splitlines()]
    assert verbs == ["bootout", "bootstrap", "kickstart", "kill", "bootout"]
    with pytest.raises(CliError, match="launchctl is not on the PATH"):
        supervisor({"PATH": "/nowhere"}, tmp_path, "darwin")
