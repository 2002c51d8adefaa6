"""The official client package against our server; ``make test-mcp`` installs it, no other target needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memory_mcp_offer import VERSIONS
from tests.clients.mcp.sessions import ANSWERS, CATALOG, RECALLED, UV, server_command

mcp = pytest.importorskip("mcp", reason="the official MCP client is not installed: make test-mcp")


def with_client(use: Callable[[mcp.ClientSession], Awaitable[None]]) -> None:  # type: ignore[name-defined]
    """Run ``use`` with an initialised session of the official client over pipes to the real server."""

    async def run() -> None:
        from mcp.client.stdio import stdio_client

        with FakeDaemon(answers=dict(ANSWERS)) as daemon:
            command, *args = server_command(daemon.home)
            async with stdio_client(mcp.StdioServerParameters(command=command, args=args)) as (read, write):
                async with mcp.ClientSession(read, write) as session:
                    hello = (await session.initialize()).model_dump(by_alias=True)
                    assert hello["protocolVersion"] in VERSIONS
                    await use(session)

    asyncio.run(run())


@pytest.mark.rule("mcp.official-client")
def test_the_official_client_recalls() -> None:
    async def use(session: mcp.ClientSession) -> None:  # type: ignore[name-defined]
        (tool,) = (await session.list_tools()).tools
        assert tool.name == "recall_memory"
        result = await session.call_tool("recall_memory", {"query": "uv?"})
        assert result.content[0].text == RECALLED["message"]["content"]

    with_client(use)


@pytest.mark.rule("mcp.official-client")
def test_the_official_client_reads_resources_and_prompts() -> None:
    async def use(session: mcp.ClientSession) -> None:  # type: ignore[name-defined]
        (catalog,) = (await session.list_resources()).resources
        read = await session.read_resource(catalog.uri)
        assert read.contents[0].text == CATALOG["text"]
        assert len((await session.list_resource_templates()).model_dump(by_alias=True)["resourceTemplates"]) == 1
        assert UV in CATALOG["text"]
        assert {prompt.name for prompt in (await session.list_prompts()).prompts} == {"recall", "remember"}
        said = await session.get_prompt("remember", {"fact": "I use uv."})
        assert said.messages[0].content.text == "Remember this: I use uv."

    with_client(use)
