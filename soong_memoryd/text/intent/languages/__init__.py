"""The phrase tables, one module a language. Data only: what they mean to a message is decided by ``intent.match``."""

from soong_memoryd.text.intent.languages.ar import ARABIC
from soong_memoryd.text.intent.languages.cs import CZECH
from soong_memoryd.text.intent.languages.de import GERMAN
from soong_memoryd.text.intent.languages.en import ENGLISH
from soong_memoryd.text.intent.languages.es import SPANISH
from soong_memoryd.text.intent.languages.fr import FRENCH
from soong_memoryd.text.intent.languages.hi import HINDI
from soong_memoryd.text.intent.languages.it import ITALIAN
from soong_memoryd.text.intent.languages.ja import JAPANESE
from soong_memoryd.text.intent.languages.ko import KOREAN
from soong_memoryd.text.intent.languages.nl import DUTCH
from soong_memoryd.text.intent.languages.pl import POLISH
from soong_memoryd.text.intent.languages.pt import PORTUGUESE
from soong_memoryd.text.intent.languages.ru import RUSSIAN
from soong_memoryd.text.intent.languages.tr import TURKISH
from soong_memoryd.text.intent.languages.uk import UKRAINIAN
from soong_memoryd.text.intent.languages.vi import VIETNAMESE
from soong_memoryd.text.intent.languages.zh import CHINESE

LANGUAGES = (
    ENGLISH,
    CHINESE,
    JAPANESE,
    KOREAN,
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    RUSSIAN,
    ITALIAN,
    DUTCH,
    POLISH,
    CZECH,
    TURKISH,
    VIETNAMESE,
    UKRAINIAN,
    ARABIC,
    HINDI,
)

__all__ = ["LANGUAGES"]
