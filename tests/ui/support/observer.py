"""What a browser notices while a page is open: dialogs, errors, what the policy of the page refused, and requests to anywhere else."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Dialog, Page, Request

_REPORT = "addEventListener('securitypolicyviolation', event => console.error('REFUSED', event.violatedDirective, event.blockedURI))"


class Observer:
    """Keeps what happens in a window, its frames included."""

    def __init__(self, window: "Page", url: str) -> None:
        self.noticed: list[str] = []
        self._url = url
        window.add_init_script(_REPORT)
        window.on("dialog", self._dialog)
        window.on("console", self._console)
        window.on("pageerror", lambda error: self.noticed.append(f"error: {error}"))
        window.on("request", self._request)
        window.on("popup", lambda popup: self.noticed.append(f"popup: {popup.url}"))

    def taken(self) -> list[str]:
        """Return what was noticed since the last time."""
        taken, self.noticed = self.noticed, []
        return taken

    def _dialog(self, dialog: "Dialog") -> None:
        self.noticed.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type == "error":
            self.noticed.append(f"console: {message.text}")

    def _request(self, request: "Request") -> None:
        # Airflow runs a worker of its own out of a blob.
        if not request.url.startswith((self._url, "data:image/", "blob:http://127.0.0.1:")):
            self.noticed.append(f"request: {request.url}")
