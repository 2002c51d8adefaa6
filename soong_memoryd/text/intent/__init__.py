"""Explicit wishes in typed prose: does a message ask to keep something, and in which sentences."""

from soong_memoryd.text.intent.match import bare_assent, explicit_wish, keep_wish, wish_sentences

__all__ = ["bare_assent", "explicit_wish", "keep_wish", "wish_sentences"]
