"""Say in one sentence why a download or an installation failed, from what the tool printed."""

import re
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
_ADVICE = {
    Kind.DISK: "Free some space (TMPDIR and UV_CACHE_DIR put downloads on another disk)",
    Kind.TRUST: "Set PIP_CERT=FILE or `pip config set global.cert FILE` to the file with the certificate of your proxy",
    Kind.ACCESS: f"Check the name and password in {_SET_ADDRESS}, and in HTTPS_PROXY",
    Kind.NETWORK: f"Connect this machine, or set HTTPS_PROXY=ADDRESS for a proxy, or {_SET_ADDRESS} for a mirror",
    Kind.PINS: f"Take an index that has it: set {_SET_ADDRESS}, or change the pin",
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

    def summary(self) -> str:
        """Return what happened, without who it happened to."""
        return f"{_VERBS[self.kind]} {self.file} ({self.words})"

    def sentence(self, log: str) -> str:
        """Return what a person reads: which file, from which tool, and what to set."""
        happened = f"{self.tool} {_VERBS[self.kind]} {self.file}: {self.words}"
        return f"{happened}. {_ADVICE[self.kind]}; then run this again. The whole output is in {log}."


def hide_secrets(text: str) -> str:
    """Return a text without the user part of its addresses."""
    return _SECRET.sub(r"\1", text)


def failure(tool: str, output: str, wanted: str) -> Failure:
    """Read the output of a failed command; `wanted` is what it was to install."""
    text = hide_secrets(output)
    kind, words = _sign(text)
    return Failure(tool, kind, _file(text, wanted), words)


def _sign(text: str) -> tuple[Kind, str]:
    for kind, signs in _SIGNS.items():
        pattern = re.compile("|".join(signs), re.IGNORECASE)
        line = next((line for line in text.splitlines() if pattern.search(line)), None)
        if line is not None:
            return kind, _short(line)
    said = [line for line in text.splitlines() if line.strip() and not _NOISE.match(line.strip())]
    return Kind.OTHER, _short(said[-1] if said else "it printed nothing")


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
