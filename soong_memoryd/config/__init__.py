"""The configuration: what may be set (``schema``), where it comes from (``load``), the keys it names (``keys``)."""

from soong_memoryd.config.keys import KeyRing
from soong_memoryd.config.load import load_config
from soong_memoryd.config.schema import Config, MemorySettings, ModelSettings, RetrySettings, SecretsSettings, ServerSettings

__all__ = [
    "Config",
    "KeyRing",
    "MemorySettings",
    "ModelSettings",
    "RetrySettings",
    "SecretsSettings",
    "ServerSettings",
    "load_config",
]
