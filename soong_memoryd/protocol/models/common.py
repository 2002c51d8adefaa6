"""Params and results that several methods share."""

from __future__ import annotations

from soong_memoryd.protocol.values import Answer, Identifier, Limit, Offset, Value


class Empty(Value):
    """No params."""


class EmptyResult(Answer):
    """``{}``."""


class OfSession(Value):
    """Params of the methods that name a session and nothing else."""

    session_id: Identifier


class Page(Value):
    """Params of a listing."""

    limit: Limit = 50
    offset: Offset = 0
