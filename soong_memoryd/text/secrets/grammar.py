"""The patterns of a sentence that names a secret, compiled from ``words``.

Owns: noun, link, value and what may stand between them. Must not know: which values are secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from soong_memoryd.text.secrets.words import CODE_LISTS, LANGUAGES, LOGINS, SEED_PHRASES

_LETTER = "A-Za-zÀ-ɏЀ-ӿ0-9_"
_CHARACTER = r"[!#-&(-;=?-_a-~À-ɏЀ-ӿ]"
_OPENING = r"[\"'`“”‘„«「『(\[*_]"
NEAR_CHARS = 64
MAX_VALUE_CHARS = 160
QUOTE = re.compile(r"[\"'`“「『«„]")


def _either(parts: Iterable[str]) -> str:
    # the longest first; the rest of the order makes it the same pattern in every process
    return "|".join(sorted(set(parts), key=lambda part: (-len(part), part)))


def _nouns(kind: str, *, spaced: bool) -> str:
    return (
        f"(?P<{kind}{'' if spaced else '_joined'}>"
        + _either(noun for language in LANGUAGES if language.spaced is spaced for noun in getattr(language, kind))
        + ")"
    )


_KINDS = ("pins", "keys", "passwords")
_RIGHT_BORDER = rf"(?![{_LETTER}]|[\-./][A-Za-z])"
_COMPOUNDS = _either(noun for language in LANGUAGES for noun in language.compounds)
NOUN = re.compile(
    rf"(?P<codes>{_either(CODE_LISTS)})|(?P<seeds>{_either(SEED_PHRASES)})"
    rf"|{'|'.join(_nouns(kind, spaced=False) for kind in _KINDS)}"
    rf"|(?<![{_LETTER}])(?:{'|'.join(_nouns(kind, spaced=True) for kind in _KINDS)}){_RIGHT_BORDER}"
    rf"|(?P<passwords_compound>{_COMPOUNDS}){_RIGHT_BORDER}|(?<![{_LETTER}])(?P<logins>{_either(LOGINS)})(?![A-Za-zÀ-ɏЀ-ӿ])"
)
_WORD_LINKS = _either(link for language in LANGUAGES if language.spaced for link in language.links)
_JOINED_LINKS = _either(link for language in LANGUAGES if not language.spaced for link in language.links)
_ABOUT = _either(word for language in LANGUAGES for word in language.about)
_WORD_BACKLINKS = _either(link for language in LANGUAGES if language.spaced for link in language.backlinks)
_JOINED_BACKLINKS = _either(link for language in LANGUAGES if not language.spaced for link in language.backlinks)

FORWARD = re.compile(
    rf"""(?xi)
    (?: [ ]?[(（][^()（）\n]{{1,30}}[)）] )?
    (?: [ ](?:{_ABOUT.replace(" ", "[ ]")})(?![{_LETTER}])[^\n.;:=!?,，。：]{{1,48}}? )?
    (?: [ ](?:now|here|again|currently|jetzt|maintenant|ahora|agora|ora|теперь)
      | 现在 | 目前 | 已经?也? | 就 | 也 | 都 | 还 | 暂时 | 默认 | 统一 | 我 )?
    [ \t]{{0,4}} ["'`*]?
    (?: (?: (?<![{_LETTER}])(?:{_WORD_LINKS.replace(" ", "[ ]")})(?![{_LETTER}]) | ['’]s(?=[ ]) ) [ ]{{0,2}}:?
      | [:：=→—–] | ={{2}} | := | => | -> | -(?=[ ]) | (?:{_JOINED_LINKS}) [:：]? )
    (?: [ ](?:now|still|set[ ]to|currently|jetzt|toujours|ahora|agora|теперь)(?![{_LETTER}]) )?
    [ \t]{{0,4}} (?: \n[ \t]{{0,8}} )?
    (?P<opening>{_OPENING}{{0,3}}) (?P<value>{_CHARACTER}{{4,160}})
    """
)
BESIDE = re.compile(
    rf"(?:[ \t]{{1,2}}|(?<=[^\x00-\x7f])|(?={_OPENING}))(?P<opening>{_OPENING}{{0,3}})(?P<value>{_CHARACTER}{{4,160}})"
)
VALUE = re.compile(rf"{_CHARACTER}{{4,160}}")
BACKLINK = re.compile(
    rf"""(?xi) ["'`”’»」』)*.,;:?]{{0,3}} [ \t]{{0,2}}
    (?: (?:{_WORD_BACKLINKS})(?![{_LETTER}]) [ ] (?:[{_LETTER}'’]{{1,16}}[ -]){{0,4}}
      | (?:{_JOINED_BACKLINKS}) [^\n，。,.!?！？0-9]{{0,10}} | =[ ] )"""
)
OTHER_MATTER = re.compile(
    r"(?i)hash|commit|sha-?[0-9]|checksum|digest|fingerprint|public|regex|pattern|version"
    r"|e\.g\.|example|issue|\bpr\b|uuid|ticket"
    r"|哈希|正则|例如|版本|公钥"
    r"|[.!;]\s|[\"'\]},][,;]?\s{0,4}\n|[{}]|[。！？；]|\n[^\n]{0,80}\n"
)
WORD_BEFORE = re.compile(r"[A-Za-z]{0,20}[ \-]?\Z")
PIN = re.compile(
    r"[ \t]{0,2}(?P<value>[0-9]{4,8})"
    r"(?![0-9]|[.\-/:][0-9]|[ ]?(?:[a-z]{1,12}s\b|ms|px|kb|mb|%|个|字|位|天|年|秒|分|次|桁|文字|자|개|лет|символ))"
)
UNIT_AFTER = re.compile(
    r"(?i)[ ]?(?:bits?|bytes?|chars?|characters?|digits?|seconds?|minutes?|hours?|days?|times|users?|items?|tokens?"
    r"|ms|px|kb|mb|%|个|字|位|天|年|秒|分|次|桁|文字|자|개)"
)
LOGIN_PAIR = re.compile(
    rf"""(?xi)
    (?: [ ](?:{_ABOUT.replace(" ", "[ ]")})(?![{_LETTER}])[^\n.;:=!?,，。：]{{1,40}}? )? [ \t]{{0,2}}
    (?: are | is | was | sind | son | sont | sono | são | [:：=\-] | 是 | は | 는 | 은 )? [ \t]{{0,4}} {_OPENING}{{0,2}}
    (?P<user>[\w.@+\-]{{2,64}}) ["'`]? [ \t]{{0,2}}
    (?: /{{1,2}} | [:：,，、|] | (?<=[ ])(?:and|und|et|y|e|и)(?=[ ]) | 和 ) [ \t]{{0,2}} {_OPENING}{{0,2}}
    (?P<value>{_CHARACTER}{{6,128}})"""
)
CODE_GROUPS = re.compile(r"[^\n]{0,24}?(?P<value>(?<![A-Za-z0-9\-])[A-Za-z0-9]{4,8}(?:[ ,]{0,2}-?[A-Za-z0-9]{4,8}){1,9})")
SEED_NOUN = re.compile(f"(?i){_either(SEED_PHRASES)}")
SEED_WORDS = re.compile(r"(?i)[^\n]{0,24}?[\s:：\"'`“]{1,3}(?P<value>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})")
