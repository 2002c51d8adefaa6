"""Completion scripts for bash, zsh and fish, written from the tree of words.

Owns: the three shells' languages. Must not know: any one command. Pure.
A script holds the whole tree, so that pressing TAB starts no program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from soong_memoryd.cli.words import Option, Word

PROGRAM = "soong-memoryctl"


def bash(root: Word) -> str:
    """For ``/usr/share/bash-completion/completions`` or ``eval``."""
    lines = [
        f"# bash completion for {PROGRAM}; generated from its parser",
        "_soong_memoryctl() {",
        '  local word path="" cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words="" i',
        "  for ((i = 1; i < COMP_CWORD; i++)); do",
        '    word="${COMP_WORDS[i]}"',
        '    case "$path/$word" in',
        f'      {"|".join(_place(word) for word in root.all() if word.path)}) path="$path/$word" ;;',
        "    esac",
        "  done",
        '  case "$path:$prev" in',
        *(
            f"    {'|'.join(f'{_place(word)}:{flag}' for flag in option.flags)}) {_bash_values(option)} ;;"
            for word, option in _valued(root)
        ),
        "  esac",
        '  case "$path" in',
        *(f'    "{_place(word)}") words="{" ".join(_words(word))}" ;;' for word in root.all()),
        "  esac",
        '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        "}",
        f"complete -o default -F _soong_memoryctl {PROGRAM}",
    ]
    return "\n".join(lines) + "\n"


def _bash_values(option: Option) -> str:
    if option.choices:
        return f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$cur")); return'
    return "COMPREPLY=(); return"  # -o default: files


def zsh(root: Word) -> str:
    """For a directory of ``$fpath``, named ``_soong-memoryctl``, or ``eval`` after ``compinit``."""
    lines = [
        f"#compdef {PROGRAM}",
        f"# zsh completion for {PROGRAM}; generated from its parser",
        "_soong_memoryctl() {",
        '  local word place="" previous="${words[CURRENT-1]}"',
        "  local -a found",
        '  for word in "${(@)words[2,CURRENT-1]}"; do',
        '    case "$place/$word" in',
        f'      {"|".join(_place(word) for word in root.all() if word.path)}) place="$place/$word" ;;',
        "    esac",
        "  done",
        '  case "$place:$previous" in',
        *(
            f"    {'|'.join(f'{_place(word)}:{flag}' for flag in option.flags)}) {_zsh_values(option)}; return ;;"
            for word, option in _valued(root)
        ),
        "  esac",
        '  case "$place" in',
        *(f'    "{_place(word)}") found=({" ".join(_zsh_words(word))}) ;;' for word in root.all()),
        "  esac",
        f"  _describe -t words '{PROGRAM}' found || _files",
        "}",
        'if [ "$funcstack[1]" = "_soong_memoryctl" ] || [ "$funcstack[1]" = "_soong-memoryctl" ]; then',
        '  _soong_memoryctl "$@"',
        "else",
        f"  compdef _soong_memoryctl {PROGRAM}",
        "fi",
    ]
    return "\n".join(lines) + "\n"


def _zsh_values(option: Option) -> str:
    return f"compadd -- {' '.join(option.choices)}" if option.choices else "_files"


def _zsh_words(word: Word) -> Iterator[str]:
    for part in word.parts:
        yield _quoted(f"{part.path[-1]}:{part.summary}")
    for option in word.options:
        for flag in option.flags:
            yield _quoted(f"{flag}:{option.summary}")
        if not option.flags:
            yield from map(_quoted, option.choices)


def fish(root: Word) -> str:
    """For ``~/.config/fish/completions/soong-memoryctl.fish``, or ``source``."""
    lines = [
        f"# fish completion for {PROGRAM}; generated from its parser",
        "function __soong_memoryctl_place",
        '    set -l place ""',
        "    for word in (commandline -opc)[2..-1]",
        '        switch "$place/$word"',
        f"            case {' '.join(_place(word) for word in root.all() if word.path)}",
        '                set place "$place/$word"',
        "        end",
        "    end",
        '    echo "$place"',
        "end",
        f"complete -c {PROGRAM} -f",
    ]
    for word in root.all():
        here = f"complete -c {PROGRAM} -n 'test (__soong_memoryctl_place) = \"{_place(word)}\"'"
        lines += [f"{here} -a {part.path[-1]} -d {_quoted(part.summary)}" for part in word.parts]
        lines += [f"{here} {_fish_option(option)} -d {_quoted(option.summary)}" for option in word.options if _is_told(option)]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    if not option.flags:
        return f"-a '{' '.join(option.choices)}'"
    names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    if option.choices:
        names.append(f"-x -a '{' '.join(option.choices)}'")
    elif option.value:
        names.append("-r -F" if option.takes_a_file else "-x")
    return " ".join(names)


def _is_told(option: Option) -> bool:
    return bool(option.flags or option.choices)


def _place(word: Word) -> str:
    return "".join(f"/{name}" for name in word.path)


def _words(word: Word) -> Iterator[str]:
    yield from (part.path[-1] for part in word.parts)
    for option in word.options:
        yield from option.flags or option.choices


def _valued(root: Word) -> Iterator[tuple[Word, Option]]:
    return ((word, option) for word in root.all() for option in word.options if option.flags and option.value)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", r"'\''") + "'"


SHELLS: Mapping[str, Callable[[Word], str]] = MappingProxyType({"bash": bash, "zsh": zsh, "fish": fish})
