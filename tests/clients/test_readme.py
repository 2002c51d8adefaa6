"""What the clients' pages tell a harness author to type works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client import MemoryClient
from tests.support.daemon import BUILTIN, DaemonProcess

PAGE = Path(__file__).resolve().parents[2] / "clients" / "python" / "README.md"
TYPED = "Always use uv, never pip."


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.rule("client.ten-lines")
def test_a_harness_is_connected_in_ten_lines_by_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, one_by_one, _ = blocks()
    assert len([line for line in whole.splitlines() if line.strip()]) <= 10
    seen = []

    def my_model(system_prompt: str, text: str, tools: Any) -> str:
        seen.append((system_prompt, tools["recall_memory"]("how do I install a package?")))
        return "uv it is."

    with DaemonProcess(tmp_path / "home", BUILTIN) as daemon:
        monkeypatch.setenv("SOONG_AGENT_HOME", str(daemon.home))
        said: dict[str, Any] = {"my_model": my_model, "messages": []}
        exec(compile(whole, str(PAGE), "exec"), said)  # it is our own page
        assert said["chat"](TYPED) == "uv it is."
        with MemoryClient("operator") as operator:
            operator.call("extraction.trigger", wait=True)
        said["chat"]("And now?")
        catalog, recalled = seen[-1]
        assert TYPED.rstrip(".") in catalog and recalled.startswith("<memory ids=")

        exec(compile(one_by_one.replace("my-agent:42", "my-agent:43"), str(PAGE), "exec"), said)
        assert [message["role"] for message in said["messages"]] == ["user"]
        said["memory"].close()
