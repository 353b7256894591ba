"""Secrets in texts: which keys of options name one, and texts whose addresses show no user and no query."""

import re
from collections.abc import Callable

MASK = "****"

# Words of a key, and keys of something, that name a secret. `bucket-key` and `primary-key` name none.
# The configuration of JAAS holds the password in its value.
_WORDS = frozenset("password passwd pwd passphrase secret secrets token tokens credential credentials sas jaas".split())
_ENDS = ("password", "secret", "token")
_KEYS = ("accesskey", "accountkey", "apikey", "authkey", "encryptionkey", "masterkey", "privatekey", "secretkey", "sharedkey", "signingkey")
# Options of columns begin so; what follows is the name of a column.
_COLUMN = "fields."
_WORD = re.compile(r"[A-Z]*[a-z]+|[A-Z]+|[0-9]+")

# An address behind its ://. A query may hold quotes, where another of its parameters follows.
_ADDRESS = re.compile(r"[^\s?\"'<>]*(?:\?[^\s\"'<>]*(?:[\"'<>]\S*&[\w.-]+=[^\s\"'<>]*)?)?")
_AUTHORITY = re.compile(r"[^/?#]*@")
# A password that holds a slash; what stands behind a colon may also be a port.
_WITH_SLASH = re.compile(r"[^/@:?#]*:(?!\d+(?:[/?#]|$))[^@]*@")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9]*$")
_PARAMETER = re.compile(r"(?<=[?&;#])([\w.-]+)=[^&;\s\"']+")
_SIGNATURES = frozenset({"sig", "x-amz-signature", "x-goog-signature"})
_END_OF_SENTENCE = ").,;:!?]}"
# In the addresses of Azure the name of a container stands where others have a user.
_WITH_CONTAINER = ("abfs", "abfss", "wasb", "wasbs")
_OF_THE_WEB = ("http", "https")
_LONGEST_SCHEME = 12


def is_secret(key: str) -> bool:
    """Whether the key of an option names a secret."""
    if key.startswith(_COLUMN):
        return False
    words = [one.lower() for one in _WORD.findall(key)]
    joined = "".join(words)
    return any(one in _WORDS or one.endswith(_ENDS) for one in words) or any(one in joined for one in _KEYS)


def without_credentials(text: str) -> str:
    """The text as people may see it: its addresses lose their user part and their query."""
    return _addresses(text, _shown) if "://" in text else text


def without_passwords(address: str) -> str:
    """The address without its secrets, but with what a program needs to open it: the user, and parameters that are no secret."""
    return _addresses(address, _usable) if "://" in address else address


def _addresses(text: str, change: Callable[[str, str], str]) -> str:
    """The text with its addresses changed: each is given as its scheme and what stands behind ://."""
    before, *others = text.split("://")
    parts = [before]
    in_query = False
    for part in others:
        address = _ADDRESS.match(part)[0]  # type: ignore[index]  # it matches nothing at least
        rest = part[len(address) :]
        scheme = _SCHEME.search(before[-_LONGEST_SCHEME:])
        # An address in the query of another one goes with that query.
        parts.append("" if in_query else f"://{change(scheme[0].lower() if scheme else '', address)}")
        parts.append(rest)
        in_query = not rest and (in_query or "?" in address)
        before = part
    return _PARAMETER.sub(_masked_parameter, "".join(parts))


def _shown(scheme: str, address: str) -> str:
    user, rest = _parted(address)
    is_container = scheme in _WITH_CONTAINER and ":" not in user
    shown_user = user if is_container or not user else f"{MASK}@"
    place, mark, query = rest.partition("?")
    # In a storage, a question mark without parameters stands for any letter.
    is_query = scheme in _OF_THE_WEB or "=" in query
    return f"{shown_user}{place}{_masked_query(query) if query and is_query else mark + query}"


def _usable(scheme: str, address: str) -> str:
    if scheme in _OF_THE_WEB:
        return _shown(scheme, address)
    user, rest = _parted(address)
    return f"{MASK}@{rest}" if ":" in user else address


def _parted(address: str) -> tuple[str, str]:
    """The user part with its @, empty if there is none, and the rest."""
    found = _AUTHORITY.match(address) or _WITH_SLASH.match(address)
    user = found[0] if found else ""
    return user, address[len(user) :]


def _masked_query(query: str) -> str:
    """What is shown of a query, and what ends the sentence in which the address stands."""
    whole = query.rstrip(_END_OF_SENTENCE)
    return f"?{MASK}{query[len(whole) :]}" if whole else f"?{query}"


def _masked_parameter(found: re.Match[str]) -> str:
    return f"{found[1]}={MASK}" if is_secret(found[1]) or found[1].lower() in _SIGNATURES else found[0]
