"""Finding secrets in text: what is shaped like one, what a sentence calls one, and what merely looks random."""

from __future__ import annotations

from soong_memoryd.text.secrets.finder import SecretFinder
from soong_memoryd.text.secrets.finding import Finding, Level

__all__ = ["Finding", "Level", "SecretFinder"]
