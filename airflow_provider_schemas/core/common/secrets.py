"""Secrets in texts: which keys of options name one, and texts without the passwords and tokens in their addresses."""

import re

MASK = "****"

# Words of a key, and keys of something, that name a secret. `bucket-key` and `primary-key` name none.
# The configuration of JAAS holds the password in its value.
_WORDS = frozenset("password passwd pwd passphrase secret secrets token tokens credential credentials sas jaas".split())
_ENDS = ("password", "secret", "token")
_KEYS = ("accesskey", "accountkey", "apikey", "authkey", "encryptionkey", "masterkey", "privatekey", "secretkey", "sharedkey", "signingkey")
# Options of columns begin so; what follows is the name of a column.
_COLUMN = "fields."
_WORD = re.compile(r"[A-Z]*[a-z]+|[A-Z]+|[0-9]+")

# What an address holds, wherever one stands: a user and a password, or a token among its parameters.
_USER = re.compile(r"(?<=://)[^\s/@:\"']*:[^\s/@\"']*(?=@)")
_PARAMETER = re.compile(r"(?<=[?&])([\w.-]+)=[^&\s\"']+")
_SIGNATURES = frozenset({"sig", "x-amz-signature", "x-goog-signature"})


def is_secret(key: str) -> bool:
    """Whether the key of an option names a secret."""
    if key.startswith(_COLUMN):
        return False
    words = [one.lower() for one in _WORD.findall(key)]
    joined = "".join(words)
    return any(one in _WORDS or one.endswith(_ENDS) for one in words) or any(one in joined for one in _KEYS)


def without_credentials(text: str) -> str:
    """The text without the passwords and tokens in its addresses."""
    return _PARAMETER.sub(_masked_parameter, _USER.sub(MASK, text)) if "://" in text else text


def _masked_parameter(found: re.Match[str]) -> str:
    return f"{found[1]}={MASK}" if is_secret(found[1]) or found[1].lower() in _SIGNATURES else found[0]
