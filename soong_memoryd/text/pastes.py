"""How lines look that nobody types by hand: logs, diffs, shell sessions, tables, code, mail heads, chat transcripts.

Owns: the marks of a pasted line, as patterns. Must not know messages, wishes or what is done with such a line.
"""

from __future__ import annotations

import re

_MACHINE_LINE = re.compile(
    r"\s*(?:"
    # logs: a bracketed head, a date with a time, a time with seconds, a level, a place in a file, a stack frame
    r"\[[^\]\n]{0,40}\d[:/.-]\d[^\]\n]{0,40}\]|\d{4}-\d\d-\d\d[T ]\d|\d{1,2}:\d\d:\d\d"
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|NOTICE)\b\]?[: \t]|(?:Error|Warning|error"
    r"|warning)(?: ?\[?[A-Z]{1,6}\d{2,6}\]?)?:[ \t]"
    r"|error [A-Z]{2,3}\d{2,6}|\w{1,20} (?:ERR!|WARN|ERROR)\b|Traceback \("
    r"|File \"|at [\w.$<>]{1,80} ?\(|\w{0,60}(?:Error|Exception):[ \t]"
    r"|[\w./\\-]{1,160}\.\w{1,8}:\d{1,6}\b|[\w:-]{1,60}:[ \t]{1,4}\d{1,6}:\d{1,6}[ \t]"
    r"|\d{1,6}:\d{1,6}[ \t]{1,8}(?:error|warning)\b"
    # tables, comments, markup
    r"|\||//|/\*|\*/|<!--|#|<[\w/!]|[{}\[\]][ \t]*$"
    r")"
)
_PROMPT = re.compile(
    r"\s*(?:[$%❯➜»][ \t]|>>>[ \t]|PS [A-Z]:|[A-Z]:\\|\(\w{1,30}\) [$%]|[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^\n]{0,80}[$#%]"
    r"|\[[^\]\n]{0,60}\][ \t]?[$#%>]|\[\d[^\]\n]{0,60}[~/][^\]\n]{0,60}\])"
)
_INDENTED = re.compile(r"(?: {4,}|\t+)\S")
_CODE_END = re.compile(r"[;{}][ \t]*$|\)[ \t]*(?:=>|->)")
_CODE_HEAD = re.compile(
    r"\s*(?:(?:export|def|class|import|from|const|let|var|function|return|public|private|static|async|void|if|for"
    r"|while|#include)\b"
    r"[^\n]{0,120}[(){};=]|[\w.\[\]]{1,60}[ \t]?(?:=|:=|\+=|==)[ \t]?\S)"
)
_DIFF_LINE = re.compile(r"(?:\+|-|@@|diff --git|index [0-9a-f])")

_MAIL_HEAD = re.compile(
    r"\s*(?:-{2,}[ \t]?(?:Original(?: Message|nachricht)|Ursprüngliche Nachricht|Forwarded message"
    r"|Weitergeleitete Nachricht"
    r"|Message d'origine|Mensaje original|Mensagem original|Messaggio originale|原始邮件|転送|원본 메시지"
    r"|Исходное сообщение)"
    r"|Begin forwarded message:"
    r"|On [^\n]{6,120} wrote:|Am [^\n]{6,120} schrieb[^\n]{0,80}:|Le [^\n]{6,120} a écrit ?:|El [^\n]{6,120} escribió:"
    r"|Em [^\n]{6,120} escreveu:|Il [^\n]{6,120} ha scritto:|在[^\n]{4,120}写道[:：]|[^\n]{4,120}のメール[:：]"
    r"|[^\n]{6,120}님이 작성:"
    r"|[^\n]{6,100} пишет:)\s*$",
    re.IGNORECASE,
)
_MAIL_FIELD = re.compile(
    r"\s*\*{0,2}(?:from|to|sent|date|subject|cc|von|an|gesendet|betreff|datum|de|à|envoyé|objet|para|asunto|enviado"
    r"|assunto|da|a|oggetto|inviato"
    r"|发件人|收件人|发送时间|主题|日期|差出人|宛先|件名|日時|보낸 사람|받는 사람|제목|날짜|от|кому|тема"
    r"|дата)\*{0,2} ?[:：]",
    re.IGNORECASE,
)
_MIN_MAIL_FIELDS = 3
_ASSISTANT_TURN = re.compile(
    r"\s*[#*\[]{0,4}(?:assistant|ai|bot|chatgpt|gpt-?\d?|claude|gemini|copilot|system|model|助手|助理|アシスタント"
    r"|어시스턴트|ассистент|assistent|asistente)"
    r"\]?\*{0,2} ?(?:：|:(?!\w))",
    re.IGNORECASE,
)
_ANY_TURN = re.compile(
    r"\s*[#*\[]{0,4}(?:human|user|me|you|customer|q|用户|用戶|我|ユーザー|사용자|пользователь|benutzer|nutzer"
    r"|usuario|utilisateur|utente|usuário)"
    r"\]?\*{0,2} ?(?:：|:(?!\w))",
    re.IGNORECASE,
)
_CLOCK = r"\d\d?:\d\d(?::\d\d)?(?: ?[ap]m)?"
_DATE = r"\d{2,4}[-./]\d\d?[-./]\d{2,4},?[ T]"
_NAME = r"[^\W\d_][^\n:：<>(\[]{0,30}"
_TIMED_TURN = re.compile(  # as messengers write it; "9:00 gym: …" is what a person types
    rf"\s*(?:(?:\[(?:{_DATE})?{_CLOCK}\]|{_DATE}{_CLOCK})[ \t-]{{1,3}}<?{_NAME}>? ?[:：>]"
    rf"|{_NAME}[ ,]{{0,2}}[(\[](?:{_DATE})?{_CLOCK}[)\]] ?[:：])",
    re.IGNORECASE,
)
_TURNS_WITHIN_LINES = 30


def is_prompt_line(line: str) -> bool:
    """Whether a line is a command after a shell prompt; what follows up to a blank line is its output."""
    return _PROMPT.match(line) is not None


def is_machine_line(line: str, is_diff: bool) -> bool:
    """Whether a line was printed, generated or copied; ``is_diff`` says that the text holds a diff (then +/- lines"
    " count)."""
    bare = line.rstrip("\r\n")
    if not bare.strip():
        return False
    if _MACHINE_LINE.match(bare) or _INDENTED.match(bare) or _CODE_END.search(bare[-40:]) or _CODE_HEAD.match(bare):
        return True
    return is_diff and _DIFF_LINE.match(bare) is not None


def starts_mail(lines: list[str], index: int) -> bool:
    """Whether a quoted mail begins at ``lines[index]``: a reply head, or at least three head fields in a row."""
    line = lines[index]
    if len(line) > 300:
        return False
    if _MAIL_HEAD.match(line):
        return True
    window = lines[index : index + _MIN_MAIL_FIELDS]
    return len(window) == _MIN_MAIL_FIELDS and all(_MAIL_FIELD.match(field) for field in window)


def starts_transcript(lines: list[str], index: int) -> bool:
    """Whether a chat transcript begins at ``lines[index]``: a turn of an assistant, of a person with one to follow, or one
    with its time before another such (people who chat have any names)."""
    if _ASSISTANT_TURN.match(lines[index]):
        return True
    turn = next((turn for turn in (_ANY_TURN, _TIMED_TURN) if turn.match(lines[index])), None)
    if turn is None:
        return False
    answer = _ASSISTANT_TURN if turn is _ANY_TURN else _TIMED_TURN
    return any(answer.match(line) for line in lines[index + 1 : index + 1 + _TURNS_WITHIN_LINES])
