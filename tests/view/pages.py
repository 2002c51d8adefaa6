"""Data for the page that ``view`` writes: many memories, and some that try to get out of their place."""

from __future__ import annotations

from typing import Any

SCRIPT = "<script>document.title='pwned'</script>"
HOSTILE = (
    f"</script>{SCRIPT}",
    "<!--<script>",
    "]]></script><img src=x onerror=\"document.title='pwned'\">",
    '"><svg onload="document.title=\'pwned\'">',
    "javascript:document.title='pwned'",
    "</title></textarea></style></noscript><iframe src='https://example.invalid/'></iframe>",
    "\u2028\u2029\\u003cscript\\u003e ${1} `x` @@DATA@@ {{x}}",
    "<base href='https://example.invalid/'><meta http-equiv=refresh content='0;url=https://example.invalid/'>",
)


def memory(number: int, text: str, **fields: Any) -> dict[str, Any]:
    """One memory as the page has it, ``text`` in every place where a person's or a model's words go."""
    day = f"2026-{1 + number % 11:02}-{1 + number % 28:02}T10:00:00Z"
    memory_id = f"mem_20261128091502_{number:08}"
    return {
        "id": memory_id,
        "category": ("user", "feedback", "reference")[number % 3],
        "summary": text,
        "tags": [f"tag{number % 7}", text[:20]],
        "created_at": day,
        "updated_at": day,
        "source_session_id": "claude-code:7f3a",
        "source_node_ids": ["n1"],
        "path": f"user/{memory_id}.md",
        "sha256": "0" * 64,
        "body": f"{text}\n第 {number} 条",
        "sources": [{"session_id": text, "node_id": "n1", "kind": "user_message", "excerpt": text, "created_at": day}],
        "versions": [{"version_id": str(number), "at": day, "cause": "update", "sha256": "1" * 64}],
        **fields,
    }


def job(number: int, text: str) -> dict[str, Any]:
    """One job with decisions of every kind."""
    return {
        "job_id": f"job_{number}",
        "session_id": text,
        "reason": "explicit",
        "requested_by": "operator",
        "status": "completed",
        "due_at": "2026-12-01T13:02:08Z",
        "finished_at": "2026-12-01T13:02:11Z",
        "result": {
            "created": ["mem_1"],
            "updated": [],
            "conflicts": [{"memory_id": "mem_2", "source_node_ids": ["n2"]}],
            "ignored": [{"reason": "one_off_task", "source_node_ids": [text]}],
            "usage": {"calls": 1, "prompt_tokens": 900, "completion_tokens": 100},
        },
        "error": None,
    }


def page_data(count: int) -> dict[str, Any]:
    """A page of ``count`` memories, the hostile ones first."""
    texts = [*HOSTILE, *(f"偏好 {number}: use uv, not pip" for number in range(count - len(HOSTILE)))]
    days = [
        {
            "day": f"2026-11-{day:02}",
            "created": day % 5,
            "updated": day % 3,
            "prompt_tokens": day * 900,
            "completion_tokens": day * 90,
        }
        for day in range(1, 29)
    ]
    return {
        "schema": 1,
        "made_at": "2026-12-01T14:39:00Z",
        "home": "/homes/me/.soong-agent",
        "memory": {},
        "memories": [memory(number, text) for number, text in enumerate(texts)],
        "jobs": [job(number, text) for number, text in enumerate(HOSTILE)],
        "days": days,
    }
