"""What is known about providers before the first call: one table.

Owns: addresses, key variables and peculiarities by provider name. Must not know configuration or HTTP.
What the table does not know, the ladder and the parameter fixes find out and remember (``ladder.py``, ``refusals.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Quirks:
    """How a provider's requests differ.

    ``cuts_prompts_silently``: an over-long prompt is cut without a word, so the token count is checked.
    """

    token_field: str = "max_tokens"  # noqa: S105
    temperature: float | None = 0.2  # sent when the profile sets none; None: none is sent
    temperature_cap: float = 2.0
    first_rung: str = "tools"
    forces_tools: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    cuts_prompts_silently: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider. ``default_path`` is added to a base_url without one, ``cloud_names`` end the names of models that a
    local server passes on to the network.
    """

    base_url: str | None
    api_key_env: str | None = None
    quirks: Quirks = field(default_factory=Quirks)
    context_window: int = 128_000
    max_output_tokens: int = 4096
    default_path: str = ""
    cloud_names: tuple[str, ...] = ()


def _local(port: int, *, cuts: bool, cloud_names: tuple[str, ...] = ()) -> Preset:
    """A model server on this machine; the small window is what such servers give unless told otherwise."""
    url, quirks = f"http://127.0.0.1:{port}/v1", Quirks(cuts_prompts_silently=cuts)
    return Preset(url, None, quirks, 8192, 2048, default_path="/v1", cloud_names=cloud_names)


BUILTIN = "builtin"
COMPATIBLE = "openai-compatible"

PRESETS: Mapping[str, Preset] = {
    BUILTIN: Preset(None),
    COMPATIBLE: Preset(None),
    "openai": Preset(
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        Quirks(token_field="max_completion_tokens", temperature=None),  # noqa: S106
    ),
    "anthropic": Preset(
        "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", Quirks(temperature=None, temperature_cap=1.0), 200_000
    ),
    "gemini": Preset("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "deepseek": Preset(
        "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", Quirks(extra_body={"thinking": {"type": "disabled"}}), 64_000
    ),
    "qwen": Preset(
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        Quirks(extra_body={"enable_thinking": False}, forces_tools=False),
    ),
    "moonshot": Preset("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", Quirks(temperature=None, forces_tools=False)),
    "zhipu": Preset(
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPUAI_API_KEY",
        Quirks(extra_body={"thinking": {"type": "disabled"}}, forces_tools=False, temperature_cap=1.0),
    ),
    "openrouter": Preset("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "ollama": _local(11434, cuts=True, cloud_names=("-cloud", ":cloud")),
    "llama.cpp": _local(8080, cuts=True),
    "lm-studio": _local(1234, cuts=True),
    "vllm": _local(8000, cuts=False),
}
