"""Find the certificates that downloads are checked with, so that pip, uv and npm trust the same."""

from collections.abc import Mapping
from pathlib import Path

from tools.environments.pip_settings import PipSettings

_VARIABLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_SYSTEM_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, Red Hat
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # macOS
)


def chosen(settings: PipSettings, variables: Mapping[str, str]) -> str | None:
    """Return the file that was set for pip, or else for any program; None leaves it to the system's store."""
    candidates = (settings.text("cert"), *(variables.get(name) for name in _VARIABLES))
    return next((file for file in candidates if file), None)


def system_file() -> str | None:
    """Return the file in which the system keeps the certificates that it trusts."""
    return next((file for file in _SYSTEM_FILES if Path(file).is_file()), None)
