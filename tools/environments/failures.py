"""Say in one sentence why a download or an installation failed, from what the tool printed."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Why an installation failed."""

    DISK = "disk"
    TRUST = "trust"
    ACCESS = "access"
    PINS = "pins"
    NETWORK = "network"
    OTHER = "other"


_DISK_SIGNS = ("No space left on device", "os error 28", "ENOSPC", "Disk quota exceeded", "EDQUOT")
_TRUST_SIGNS = (
    "CERTIFICATE_VERIFY_FAILED",
    "invalid peer certificate",
    "SELF_SIGNED_CERT",
    "UNABLE_TO_(?:GET_ISSUER|VERIFY)",
    "self.signed certificate",
    "unable to get local issuer",
    "Could not find a suitable TLS CA certificate",
)
_ACCESS_SIGNS = (r"\b(?:401|403|407)\b[ :]+(?:Client|Unauthorized|Forbidden|Proxy)", r"\bE40[13]\b", "Proxy Authentication Required")
_NETWORK_SIGNS = (
    "dns error",
    "name resolution",
    "Failed to establish a new connection",
    "error sending request",
    "tcp connect error",
    "Connection (?:refused|reset|aborted)",
    "Network is unreachable",
    "timed out",
    "ReadTimeout",
    "Tunnel connection failed",
    "ProxyError",
    "E(?:AI_AGAIN|NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH)",
    "Network connectivity is disabled",
    r"\b50[0234]\b (?:Server|Bad|Service|Gateway|Internal)",
)
_PINS_SIGNS = ("No solution found", "ResolutionImpossible", "No matching distribution", "ETARGET", r"\bE404\b")
# The first that matches counts. pip prints both that it cannot connect and that it found no version: the network is looked for first.
_SIGNS = {
    Kind.DISK: _DISK_SIGNS,
    Kind.TRUST: _TRUST_SIGNS,
    Kind.ACCESS: _ACCESS_SIGNS,
    Kind.NETWORK: _NETWORK_SIGNS,
    Kind.PINS: _PINS_SIGNS,
}
_SECRET = re.compile(r"(\w+://)[^/@\s]+@")
_ADDRESS = re.compile(r"(?:https?|file)://[^\s`'\"<>()]+")
_PAGE = re.compile(r"/simple/([\w.-]+)/")
_REQUIREMENT = re.compile(r"No matching distribution found for ([^\s(]+)|there is no version of ([\w.=-]+)|([\w.-]+) was not found in the")
_NOISE = re.compile(r"^(?:hint|\[notice\]|npm (?:error|ERR!) A complete log|npm (?:error|ERR!)\s*$)")

_SET_ADDRESS = "PIP_INDEX_URL or `pip config set global.index-url ADDRESS`"
_FREE_SPACE = "Free some space (TMPDIR and UV_CACHE_DIR put downloads on another disk)"
ADVICE_OF_PIP = {
    Kind.DISK: _FREE_SPACE,
    Kind.TRUST: "Set PIP_CERT=FILE or `pip config set global.cert FILE` to the file with the certificate of your proxy",
    Kind.ACCESS: f"Check the name and password in {_SET_ADDRESS}, and in HTTPS_PROXY",
    Kind.NETWORK: f"Connect this machine, or set HTTPS_PROXY=ADDRESS for a proxy, or {_SET_ADDRESS} for a mirror",
    Kind.PINS: f"Take an index that has it: set {_SET_ADDRESS}, or change the pin",
    Kind.OTHER: "Read the log",
}
ADVICE_OF_NPM = {
    Kind.DISK: _FREE_SPACE,
    Kind.TRUST: "Set NODE_EXTRA_CA_CERTS=FILE or PIP_CERT=FILE to the file with the certificate of your proxy",
    Kind.ACCESS: "Check the registry and the password in `npm config list`, and HTTPS_PROXY",
    Kind.NETWORK: "Connect this machine, or set HTTPS_PROXY=ADDRESS for a proxy, or `npm config set registry ADDRESS` for a mirror",
    Kind.PINS: "Take a registry that has it: `npm config set registry ADDRESS`",
    Kind.OTHER: "Read the log",
}
_VERBS = {
    Kind.DISK: "found no space left on the disk for",
    Kind.TRUST: "does not trust the certificate of the server of",
    Kind.ACCESS: "was refused access to",
    Kind.NETWORK: "could not download",
    Kind.PINS: "found no version that fits the pins of",
    Kind.OTHER: "failed at",
}


@dataclass(frozen=True)
class Failure:
    """A command that failed: the kind, the file that it was after, and its own last words."""

    tool: str
    kind: Kind
    file: str
    words: str
    advice: Mapping[Kind, str]

    def summary(self) -> str:
        """Return what happened, without who it happened to."""
        return f"{_VERBS[self.kind]} {self.file} ({self.words})"

    def sentence(self, log: str) -> str:
        """Return what a person reads: which file, from which tool, and what to set."""
        happened = f"{self.tool} {_VERBS[self.kind]} {self.file}: {self.words}"
        return f"{happened}. {self.advice[self.kind]}; then run this again. The whole output is in {log}."


def hide_secrets(text: str) -> str:
    """Return a text without the user part of its addresses."""
    return _SECRET.sub(r"\1", text)


def failure(tool: str, output: str, wanted: str, advice: Mapping[Kind, str] = ADVICE_OF_PIP) -> Failure:
    """Read the output of a failed command; `wanted` is what it was to install."""
    text = hide_secrets(output)
    kind, words = _sign(text)
    return Failure(tool, kind, _file(text, wanted), words, advice)


def _sign(text: str) -> tuple[Kind, str]:
    printed = [line.strip() for line in text.splitlines() if line.strip() and not _NOISE.match(line.strip())]
    for kind, signs in _SIGNS.items():
        pattern = re.compile("|".join(signs), re.IGNORECASE)
        place = next((index for index, line in enumerate(printed) if pattern.search(line)), None)
        if place is not None:
            return kind, _short(_innermost(printed[place:]))
    return Kind.OTHER, _short(printed[-1] if printed else "it printed nothing")


def _innermost(printed: list[str]) -> str:
    """Return the reason that npm gives, or the last of the causes that uv lists below an error, or else the first line."""
    reason = next((line.partition("reason: ")[2] for line in printed if "reason: " in line), None)
    if reason is not None:
        return reason
    causes = list(itertools.takewhile(lambda line: line.startswith("cause:"), printed[1:]))
    return [printed[0], *causes][-1]


def _short(line: str) -> str:
    """Return the part of a line that says what happened."""
    words = re.sub(r"^\W*(?:error|cause|warning|npm (?:error|ERR!))[: ]+|^(?:error|cause):\s*", "", line.strip(), flags=re.IGNORECASE)
    inner = re.search(r"\[SSL[^\]]*\][^()']*|Failed to establish a new connection: [^')]+", words)
    return (inner.group() if inner else words).strip(" .:")[:200]


def _file(text: str, wanted: str) -> str:
    requirement = _REQUIREMENT.search(text)
    address = _ADDRESS.search(text)
    page = _PAGE.search(text)
    if requirement and not page:
        return str(next(filter(None, requirement.groups())))
    if address:
        return address.group().rstrip(".,:;")
    return f"{page.group(1)} (its page on the package index)" if page else wanted
