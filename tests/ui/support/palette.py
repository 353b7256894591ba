"""Pictures of few colours: a PNG with a palette takes a third of the room of one that names the color of each point."""

import base64
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_COLORS = 256
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The browser reads its own picture: nothing else here can.
_POINTS = """async source => {
    const blob = await (await fetch('data:image/png;base64,' + source)).blob();
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, image.width, image.height).data;
    let text = '';
    for (let start = 0; start < data.length; start += 32768) text += String.fromCharCode(...data.subarray(start, start + 32768));
    return [image.width, image.height, btoa(text)];
}"""


def with_palette(blank: "Page", png: bytes) -> bytes:
    """Return a picture with its most frequent colors; each other point gets the nearest of them."""
    import numpy as np

    width, height, text = blank.evaluate(_POINTS, base64.b64encode(png).decode())
    points = np.frombuffer(base64.b64decode(text), np.uint8).reshape(-1, 4)[:, :3]
    packed = points.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colors, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    kept = colors[np.argsort(-counts)[:_COLORS]]
    nearest = _nearest(_channels(colors), _channels(kept))
    rows = nearest[places].astype(np.uint8).reshape(height, width)
    filtered = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", _channels(kept).astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(filtered, 9)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _channels(colors: Any) -> Any:
    import numpy as np

    return np.stack([colors >> 16, colors >> 8 & 255, colors & 255], axis=1).astype(np.int32)


def _nearest(colors: Any, kept: Any) -> Any:
    """Return the number of the nearest kept color for each color."""
    import numpy as np

    distances = ((colors[:, None, :] - kept[None, :, :]) ** 2).sum(axis=2)
    return np.argmin(distances, axis=1)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
