"""Hand the settings of pip to uv, which reads none of them.

They are handed over as variables: an address may hold a password, and everybody on the machine can see arguments. What was set for uv
itself stays in force.
"""

from collections.abc import Mapping
from pathlib import Path

from tools.environments import certificates
from tools.environments.pip_settings import PipSettings

_SINGLE = {
    "index-url": "UV_DEFAULT_INDEX",
    "timeout": "UV_HTTP_TIMEOUT",
    "retries": "UV_HTTP_RETRIES",
    "client-cert": "SSL_CLIENT_CERT",
    "keyring-provider": "UV_KEYRING_PROVIDER",
}
_PROXIES = ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY")


def variables(settings: PipSettings, own: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that uv runs with: the caller's own, and what pip is set to."""
    given = _from_pip(settings) | {"UV_NO_PROGRESS": "1", "NO_COLOR": "1"}
    kept = {name: value for name, value in own.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return given | kept | _proxies(settings) | _trust(settings, own)


def arguments(settings: PipSettings) -> list[str]:
    """Return the settings of pip that uv knows as arguments alone."""
    found = ["--no-index"] if settings.flag("no-index") else []
    for name in ("no-binary", "only-binary"):
        for package in settings.values.get(name, "").replace(",", " ").split():
            found += [f"--{name}", package]
    return found


def _from_pip(settings: PipSettings) -> dict[str, str]:
    found = {variable: value for name, variable in _SINGLE.items() if (value := settings.text(name))}
    several = {
        "UV_INDEX": " ".join(settings.words("extra-index-url")),
        "UV_FIND_LINKS": ",".join(link for link in settings.words("find-links") if _is_there(link)),
        "UV_INSECURE_HOST": " ".join(settings.words("trusted-host")),
        # pip takes the best version of all indexes; uv would take the first index that knows the name.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_NO_CACHE": "1" if settings.flag("no-cache-dir") else "",
    }
    return found | {name: value for name, value in several.items() if value}


def _is_there(link: str) -> bool:
    """Tell whether a link is an address or an existing path: uv fails where pip warns of a missing folder."""
    return "://" in link or Path(link).expanduser().exists()


def _proxies(settings: PipSettings) -> dict[str, str]:
    proxy = settings.text("proxy")
    if proxy is None:
        return {}
    address = proxy if "://" in proxy else f"http://{proxy}"
    return dict.fromkeys(_PROXIES, address)


def _trust(settings: PipSettings, own: Mapping[str, str]) -> dict[str, str]:
    file = certificates.chosen(settings, own)
    if file is None:
        # The second name is that of older releases.
        return {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}
    return {"SSL_CERT_DIR" if Path(file).is_dir() else "SSL_CERT_FILE": file}
