"""Secrets in texts: which option keys name a secret, and texts whose addresses show no user and no query."""

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
    """Return whether the key of an option names a secret."""
    if key.startswith(_COLUMN):
        return False
    words = [word.lower() for word in _WORD.findall(key)]
    joined = "".join(words)
    return any(word in _WORDS or word.endswith(_ENDS) for word in words) or any(name in joined for name in _KEYS)


def without_credentials(text: str) -> str:
    """Return the text as users may see it: its addresses lose their user part and their query."""
    if "://" not in text:
        return text
    return _change_addresses(text, _mask_for_users)


def without_passwords(address: str) -> str:
    """Return the address without its secrets, but with the user and the parameters that a program needs to open it."""
    if "://" not in address:
        return address
    return _change_addresses(address, _mask_for_programs)


def _change_addresses(text: str, change: Callable[[str, str], str]) -> str:
    """Return the text with its addresses changed; `change` gets the scheme of an address and what stands behind ://."""
    before, *others = text.split("://")
    parts = [before]
    in_query = False
    for part in others:
        address = _ADDRESS.match(part)[0]  # type: ignore[index]  # it matches nothing at least
        rest = part[len(address) :]
        # An address in the query of another one goes with that query.
        if not in_query:
            parts.append(f"://{change(_scheme_at_the_end(before), address)}")
        parts.append(rest)
        in_query = not rest and (in_query or "?" in address)
        before = part
    return _PARAMETER.sub(_mask_parameter, "".join(parts))


def _scheme_at_the_end(text: str) -> str:
    scheme = _SCHEME.search(text[-_LONGEST_SCHEME:])
    return scheme[0].lower() if scheme else ""


def _mask_for_users(scheme: str, address: str) -> str:
    user, rest = _split_user(address)
    is_container = scheme in _WITH_CONTAINER and ":" not in user
    if user and not is_container:
        user = f"{MASK}@"
    place, mark, query = rest.partition("?")
    # In a storage, a question mark without parameters stands for any letter.
    is_query = scheme in _OF_THE_WEB or "=" in query
    if query and is_query:
        return f"{user}{place}{_mask_query(query)}"
    return f"{user}{place}{mark}{query}"


def _mask_for_programs(scheme: str, address: str) -> str:
    if scheme in _OF_THE_WEB:
        return _mask_for_users(scheme, address)
    user, rest = _split_user(address)
    if ":" not in user:
        return address
    return f"{MASK}@{rest}"


def _split_user(address: str) -> tuple[str, str]:
    """Return the user part with its @, empty if there is none, and the rest."""
    match = _AUTHORITY.match(address) or _WITH_SLASH.match(address)
    user = match[0] if match else ""
    return user, address[len(user) :]


def _mask_query(query: str) -> str:
    """Return the masked query, followed by what ends the sentence in which the address stands."""
    whole = query.rstrip(_END_OF_SENTENCE)
    if not whole:
        return f"?{query}"
    return f"?{MASK}{query[len(whole) :]}"


def _mask_parameter(parameter: re.Match[str]) -> str:
    name = parameter[1]
    if is_secret(name) or name.lower() in _SIGNATURES:
        return f"{name}={MASK}"
    return parameter[0]
