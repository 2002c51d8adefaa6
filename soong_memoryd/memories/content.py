"""Whether the words of a proposal may be stored, whatever proves them.

Owns: the checks of form, secrets and orders over the texts that a model wrote. Must not know: evidence, files, other memories.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soong_memoryd.memories.instructions import suspicious
from soong_memoryd.memories.naming import NAME_PROBLEMS, check_name
from soong_memoryd.memories.refusals import Refusal, refuse
from soong_memoryd.memories.schema import (
    MAX_BODY_BYTES,
    MAX_SUMMARY_CHARS,
    PROBLEMS,
    check_body,
    check_summary,
    check_tags,
)

_SIZES = {
    "summary_long": f"the summary may have {MAX_SUMMARY_CHARS} characters",
    "body_long": f"the body may have {MAX_BODY_BYTES} bytes",
}


def content_refusals(
    name: str | None, summary: str, tags: Sequence[str], body: str, secret_refusal: Callable[[str], str | None]
) -> list[Refusal]:
    """Everything that is wrong with the texts; ``name`` is None where it stays as it is.

    ``secret_refusal`` names the kind of secret in a text, or gives None. Summary and body are looked at together, because
    one may say what the other holds. What they say is looked at once they have the right form and size.
    """
    found = [_form_refusal(problem) for problem in (check_summary(summary), check_tags(tags), check_body(body)) if problem]
    name_problem = None if name is None else check_name(name)
    if name_problem is not None:
        found.append(refuse("name", NAME_PROBLEMS[name_problem]))
    if any(refusal.code in ("schema", "size") for refusal in found):
        return found
    texts = [*([] if name is None else [name]), *tags, f"{summary}\n{body}"]
    secret = next((kind for text in texts if (kind := secret_refusal(text)) is not None), None)
    if secret is not None:
        found.append(refuse("secret", secret))
    order = next((rule for text in texts if (rule := suspicious(text)) is not None), None)
    if order is not None:
        found.append(refuse("instruction", order))
    return found


def _form_refusal(problem: str) -> Refusal:
    return refuse("size", _SIZES[problem]) if problem in _SIZES else refuse("schema", PROBLEMS[problem])
