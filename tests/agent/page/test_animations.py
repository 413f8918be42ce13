"""Animations: the file has the frames, faulty frames are refused with the reason, and the process has limits."""

import asyncio
import base64
import io
import json
import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PIL import Image

from agent.page import animate, animations
from agent.page.animate import FORMS, FrameError, animated
from agent.page.animations import Animations
from agent.page.errors import PageError

COLOURS = ("red", "lime", "blue")


def png(colour, size=(8, 6), form="PNG"):
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, form)
    return base64.b64encode(file.getvalue()).decode()


def frames_of(data):
    """The colour and the time of each frame of a file."""
    image = Image.open(io.BytesIO(data))
    found = []
    for frame in range(image.n_frames):
        image.seek(frame)
        image.load()
        found.append((image.convert("RGB").getpixel((3, 3)), image.info["duration"]))
    return image, found


@pytest.mark.parametrize("form", FORMS)
def test_every_position_is_a_frame_and_the_last_one_stays_longer(form):
    image, found = frames_of(animated([png(colour) for colour in COLOURS], 500, form))
    assert (image.format.lower(), image.size, image.info["loop"]) == (form, (8, 6), 0)
    assert found == [((255, 0, 0), 500), ((0, 255, 0), 500), ((0, 0, 255), 1500)]


def test_a_file_grows_little_by_a_position_that_changes_little():
    """A picture of 60,000 colours, in which one pixel changes."""
    picture = Image.merge("RGB", [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.new("L", (256, 256))])
    frames = []
    for number in range(10):
        picture.putpixel((number, 0), (255, 255, 255))
        file = io.BytesIO()
        picture.save(file, "PNG")
        frames.append(base64.b64encode(file.getvalue()).decode())
    one, ten = (len(animated(frames[:count], 100, "gif")) for count in (1, 10))
    assert ten < 1.5 * one


@pytest.mark.parametrize(
    ("frames", "form", "said"),
    [
        ([], "gif", "no frames"),
        ([png("red")], "exe", "one of gif, webp"),
        ([png("red"), png("red", (9, 6))], "gif", "frame 2 has another size"),
        (["!"], "gif", "not a PNG image in base64"),
        ([base64.b64encode(b"GIF89a").decode()], "gif", "not a PNG image"),
        ([png("red", form="GIF")], "gif", "not a PNG image"),
        ([png("red", (2000, 1001))], "gif", "more than 2,000,000 pixels"),
        ([png("red", (1000, 1000))] * 121, "gif", "120,000,000 pixels together"),
    ],
)
def test_faulty_frames_are_refused_with_the_reason(frames, form, said):
    with pytest.raises(FrameError, match=said):
        animated(frames, 100, form)


def asked(*frames, form="gif"):
    return {"frames": list(frames), "milliseconds": 100, "form": form}


async def written(every, what):
    async with every.written(what) as text:
        return text


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_is_too_large_is_refused(form, monkeypatch):
    monkeypatch.setattr(animate, "MAX_BYTES", 100)
    with pytest.raises(FrameError, match="more than 0 MiB"):
        animated([png("red", (200, 200)), png("blue", (200, 200))], 100, form)


@pytest.mark.asyncio
async def test_an_animation_counts_until_it_is_sent():
    """Its file stays in memory while a slow client reads it."""
    every = Animations()
    async with AsyncExitStack() as sending:
        for _ in range(animations.WAITING):
            await sending.enter_async_context(every.written(asked(png("red"))))
        with pytest.raises(PageError, match="other animations"):
            await written(every, asked(png("red")))
    assert json.loads(await written(every, asked(png("red"))))["data"]


@pytest.mark.asyncio
async def test_a_process_writes_the_file_and_tells_why_it_cannot():
    every = Animations()
    told = json.loads(await written(every, asked(*map(png, COLOURS))))
    assert len(frames_of(base64.b64decode(told["data"]))[1]) == 3
    cut = base64.b64encode(base64.b64decode(png("red", (64, 64)))[:-40]).decode()
    with pytest.raises(PageError, match="cannot be decoded"):
        await written(every, asked(cut))
    with pytest.raises(PageError, match="no frames"):
        await written(every, asked())


@pytest.mark.asyncio
async def test_a_process_that_is_killed_or_hangs_is_told(monkeypatch):
    monkeypatch.setattr(animations, "MODULE", "tests.agent.page.no_such_module")
    with pytest.raises(PageError, match="too much time or memory"):
        await written(Animations(), asked(png("red")))
    monkeypatch.setattr(animations, "MODULE", "agent.page.animate")
    monkeypatch.setattr(animations, "SECONDS", 0.0)
    with pytest.raises(PageError, match="took too long"):
        await written(Animations(), asked(png("red")))


@pytest.mark.asyncio
async def test_the_number_of_waiting_animations_is_bounded():
    every = Animations()
    tasks = [asyncio.create_task(written(every, asked(png("red")))) for _ in range(animations.WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(PageError, match="other animations"):
        await written(every, asked(png("red")))
    assert all(json.loads(text)["data"] for text in await asyncio.gather(*tasks))
    assert json.loads(await written(every, asked(png("red"))))["data"]


def test_the_limits_admit_the_longest_game_that_the_page_draws():
    """The page scales its frames so that all together have at most half of the pixels."""
    script = (Path(animate.__file__).parent / "static" / "animation.js").read_text(encoding="utf-8")
    pixels = re.search(r"^const PIXELS = ([0-9_]+)", script, re.MULTILINE)
    assert pixels is not None
    assert 2 * int(pixels[1]) <= animate.MAX_ALL_PIXELS
