"""Texts from outside that try to become something else: markup, addresses, templates, directions of writing, and what cannot be seen."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

HOSTILE_NAMES: Mapping[str, str] = MappingProxyType({
    "script": "<script>alert(1)</script>",
    "end of script": "</script><script>alert(1)</script>",
    "end of style": "</style><script>alert(1)</script>",
    "end of title": "</title><script>alert(1)</script>",
    "end of textarea": "</textarea><img src=x onerror=alert(1)>",
    "image": "<img src=x onerror=alert(1)>",
    "drawing": "<svg/onload=alert(1)>",
    "frame": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "base": "<base href=https://evil.example/>",
    "refresh": '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    "form": "<form action=https://evil.example><button>Sign in</button></form>",
    "outside style": "<link rel=stylesheet href=https://evil.example/x.css>",
    "comment": "<!-- --!><b>x</b> -->",
    "section": "]]><b>x</b>",
    "end of details": "</details></main></body>",
    "double quote": '" onmouseover="alert(1)" x="',
    "single quote": "' onmouseover='alert(1)' x='",
    "backtick": "` onmouseover=`alert(1)`",
    "unquoted": "x onmouseover=alert(1)",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &amp;quot; &#x22; &#60;b&#62;",
    "address of script": "javascript:alert(1)",
    "address of script, hidden": "java\tscript:alert(1)",
    "address of script, capitals": " JaVaScRiPt:alert(1)//https://",
    "address of data": "data:text/html,<script>alert(1)</script>",
    "address without scheme": "//evil.example/x",
    "address with backslashes": "\\\\evil.example\\x",
    "address outside": "https://evil.example/?a=1&b=2#c",
    "template": "{{7*7}}",
    "template of names": "{{ self.__init__.__globals__ }}",
    "statement": "{% for x in range(9) %}x{% endfor %}",
    "note of a template": "{# #}",
    "format": "%s %(x)s {0} {x!r} ${x} #{x}",
    "right to left": "\u202egnitirw\u202c",
    "isolate": "\u2067abc\u2069",
    "mark": "a\u200fb\u061cc",
    "zero width": "zero\u200bwidth\u2060\ufeff",
    "letters of tags": "\U000e0041\U000e0042",
    "null": "a\x00b",
    "controls": "\x1b[31mred\x1b[0m\x07\x08\x7f\x9b31m",
    "lines": "two\nlines\r\nand\ttabs\u2028\u2029\x85",
    "half a letter": "\ud800",
    "no letter": "\ufffe\uffff",
    "combining": "e" + "\u0301" * 200,
    "wide": "\ufdfd" * 40,
    "long": "x" * 5_000,
    "long words": "word " * 1_000,
    "blank": " ",
    "blanks": "   \u00a0\u3000 ",
    "path": "../../etc/passwd",
    "query": "a&conn=other&t=x#y",
    "escapes": "%3Cscript%3E%2F%00",
    "workflow command": "::error::x",
    "markdown": "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
    "letter": "\u212aelvin \u0130stanbul \u00df",
})  # fmt: skip
"""A hostile text by what it tries."""

HARMLESS = "harmless"


def replaced_texts(value: object, text: str, *, keep: frozenset[str] = frozenset()) -> object:
    """Return plain JSON with every text in it replaced, names of tables as well; texts below the keys to keep stay."""
    if isinstance(value, str):
        return text
    if isinstance(value, list):
        return [replaced_texts(part, text, keep=keep) for part in value]
    if isinstance(value, dict):
        return dict(_replaced_entries(value, text, keep))
    return value


def _replaced_entries(entries: dict[str, object], text: str, keep: frozenset[str]) -> Iterator[tuple[str, object]]:
    for key, value in entries.items():
        if key in keep:
            yield key, value
        elif key == "tables" and isinstance(value, dict):
            tables = {f"{text}{number or ''}": of_table for number, of_table in enumerate(value.values())}
            yield key, {name: replaced_texts(of_table, text, keep=keep) for name, of_table in tables.items()}
        else:
            yield key, replaced_texts(value, text, keep=keep)
