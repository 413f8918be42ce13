"""The command ``python -m agent.page.animate``: writes one animation for the page, in a process of its own.

It reads one JSON object from its standard input: ``frames`` (PNG images in base64), ``milliseconds`` per frame, and
``form``, a key of `FORMS`. It writes ``{"data"}`` with the file in base64, or ``{"error"}``.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from PIL import Image

from reasoner.platform_calls import end_with, limit_data, limit_processor_time

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

FORMS: dict[str, dict[str, Any]] = {"gif": {"optimize": True}, "webp": {"lossless": True, "method": 2}}
"""Options of Pillow by format. Boards have few colours, so that lossless WebP is small."""
SAMPLE, COLOURS = 6, 255
"""Frames, spread over the game, from which the colours of a GIF are chosen, and their number.

The 256th stands for pixels that do not change, which makes the file smaller.
"""
MAX_PIXELS, MAX_ALL_PIXELS = 2_000_000, 120_000_000
"""Maximum pixels of a frame, and of all frames together."""
MAX_BYTES = 24 << 20
"""Maximum size of the file, which the agent keeps in memory until the client has it."""
LAST = 3
"""The last frame is shown this many times as long as the others."""
MEMORY, SECONDS = 1 << 30, 60
"""Limits of the process: bytes of data, and processor time."""
KINDNESS = 10
"""Niceness: animations are written below matches."""


class FrameError(ValueError):
    """A frame that cannot be used."""


class _File(io.BytesIO):
    """A file in memory of at most `MAX_BYTES`."""

    def write(self, data: Buffer) -> int:
        """See `io.BytesIO`. Raises FrameError if the file becomes too large."""
        if self.tell() + memoryview(data).nbytes > MAX_BYTES:
            raise FrameError(f"it has more than {MAX_BYTES >> 20} MiB; save fewer or smaller positions")
        return super().write(data)


def animated(frames: Sequence[str], milliseconds: int, form: str) -> bytes:
    """Return the file of an animation that repeats for ever. Raises FrameError.

    frames:       PNG images of the same size in base64.
    milliseconds: the time of each frame.
    form:         a key of `FORMS`.
    """
    if form not in FORMS:
        raise FrameError(f"the form must be one of {', '.join(FORMS)}")
    if not frames:
        raise FrameError("there are no frames")
    first = _opened(frames[0])
    if first.width * first.height * len(frames) > MAX_ALL_PIXELS:
        raise FrameError(f"the frames have more than {MAX_ALL_PIXELS:,} pixels together; make them smaller")
    palette = _palette(frames) if form == "gif" else None
    times = [milliseconds] * (len(frames) - 1) + [LAST * milliseconds]
    file = _File()
    _painted(first, palette).save(
        file,
        form.upper(),
        save_all=True,
        append_images=_others(frames, first.size, palette),
        duration=times,
        loop=0,
        **FORMS[form],
    )
    return file.getvalue()


def _palette(frames: Sequence[str]) -> Image.Image:
    """Choose the colours of all frames; with the same colours, Pillow stores only what changes."""
    count = min(SAMPLE, len(frames))
    some = [_opened(frames[len(frames) * part // count]).convert("RGB") for part in range(count)]
    width, height = (max(image.size[axis] for image in some) for axis in (0, 1))
    sheet = Image.new("RGB", (width, height * len(some)))
    for place, image in enumerate(some):
        sheet.paste(image, (0, place * height))
    return sheet.quantize(COLOURS)


def _painted(image: Image.Image, palette: Image.Image | None) -> Image.Image:
    """Decode an image; with a palette, in its colours."""
    colours = image.convert("RGB")
    return colours if palette is None else colours.quantize(palette=palette, dither=Image.Dither.NONE)


def _others(frames: Sequence[str], size: tuple[int, int], palette: Image.Image | None) -> Iterator[Image.Image]:
    """Yield the frames after the first one, each decoded when it is needed."""
    for number, frame in enumerate(frames[1:], 2):
        image = _opened(frame)
        if image.size != size:
            raise FrameError(f"frame {number} has another size than frame 1")
        yield _painted(image, palette)


def _opened(frame: str) -> Image.Image:
    """Open an image; its header is read, its pixels are not. Raises FrameError."""
    try:
        image = Image.open(io.BytesIO(base64.b64decode(frame, validate=True)), formats=["PNG"])
    except (binascii.Error, OSError, ValueError) as error:
        raise FrameError(f"a frame is not a PNG image in base64 ({type(error).__name__})") from None
    if image.width * image.height > MAX_PIXELS:
        raise FrameError(f"a frame has more than {MAX_PIXELS:,} pixels; make it smaller")
    return image


def main() -> None:
    """Write one animation."""
    end_with(os.getppid())
    os.nice(KINDNESS)
    limit_data(MEMORY, 1)
    limit_processor_time(SECONDS)
    asked = json.load(sys.stdin)
    try:
        answer = {"data": base64.b64encode(animated(**asked)).decode("ascii")}
    except FrameError as error:
        answer = {"error": str(error)}
    except (
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:  # Pillow's errors of broken pixels
        answer = {"error": f"a frame cannot be decoded ({type(error).__name__})"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
