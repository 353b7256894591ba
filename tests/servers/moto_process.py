"""The process of the S3 server: moto behind one lock.

moto looks whether a key is there and then writes it, in threads: two writers could both be told that they
were first. Real S3 decides in one step, and so does this.
"""

import io
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import run_simple
from werkzeug.wsgi import get_input_stream

from tests.servers.process import HOST


class OneAtATime:
    """An application whose requests are answered one after the other, each once the whole of it has arrived."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self._application = application
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = get_input_stream(environ).read()  # outside the lock: a client that is cut off must not hold up the others
        environ |= {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        with self._lock:
            return list(self._application(environ, start_response))


if __name__ == "__main__":
    MotoRequestHandler.log = lambda *_: None  # type: ignore[method-assign]  # nobody reads a line for each request
    run_simple(
        HOST,
        int(sys.argv[1]),
        OneAtATime(DomainDispatcherApplication(create_backend_app)),
        threaded=True,
        request_handler=MotoRequestHandler,
    )
