import asyncio
import contextlib
import json
import os

import pytest
from aiohttp import web

from agent.gamemaster import fetch, rulesheet
from agent.gamemaster.errors import GameError
from agent.gamemaster.fetch import fetch_game
from agent.gamemaster.games import bundled, find_game, kif_game
from agent.gamemaster.rulesheet import Rulesheet
from agent.protocol.messages import Preview
from agent.protocol.write import write_message

TEXT = "(role a) ; a game\n"


@contextlib.asynccontextmanager
async def repository(**pages):
    """A server of pages: the path (with `__` for a slash) to a text, a status or a handler."""

    async def answer(request):
        page = pages.get(request.path.strip("/").replace("/", "__").replace(".", "_"), 404)
        if callable(page):
            return await page(request)
        return web.Response(status=page) if isinstance(page, int) else web.Response(text=page)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.01)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def test_a_pipe_is_read_like_a_file():
    """A shell's `<(command)` is the name of a pipe."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as pipe:
        pipe.write(TEXT)
    try:
        assert find_game(f"/dev/fd/{reader}").text == TEXT
    finally:
        os.close(reader)


def test_a_bundled_name_is_found():
    assert find_game("nim").name == "nim"
    assert find_game("nim").url == ""


def test_a_file_is_found_by_its_path(tmp_path):
    (tmp_path / "own.kif").write_bytes(b"\xef\xbb\xbf(role a)")
    assert find_game(str(tmp_path / "own.kif")) == Rulesheet("own", "(role a)")


def test_old_files_in_latin_1_are_read_with_their_lost_bytes_marked(tmp_path):
    """As in messages, and as a browser reads a file."""
    (tmp_path / "old.kif").write_bytes(b"; caf\xe9")
    assert find_game(str(tmp_path / "old.kif")).text == "; caf\ufffd"


def test_an_unknown_name_says_what_is_close():
    with pytest.raises(GameError, match="Did you mean connectFour"):
        find_game("connectfuor")


def test_binary_and_huge_files_are_refused(tmp_path, monkeypatch):
    (tmp_path / "binary").write_bytes(b"(role \0)")
    with pytest.raises(GameError, match="not text"):
        find_game(str(tmp_path / "binary"))
    monkeypatch.setattr(rulesheet, "MAX_BYTES", 10)
    (tmp_path / "huge").write_bytes(b"x" * 11)
    with pytest.raises(GameError, match="larger than"):
        find_game(str(tmp_path / "huge"))


async def test_a_rulesheet_is_fetched_from_its_url():
    async with repository(some__nim_kif=TEXT) as url:
        assert await fetch_game(f"{url}/some/nim.kif") == Rulesheet("nim", TEXT)


@pytest.mark.parametrize("tail", ["", "/"])
async def test_the_entry_of_a_repository_names_its_rulesheet_and_version(tail):
    entry = json.dumps({"rulesheet": "rules.kif", "version": 3, "gameName": "Nim"})
    async with repository(games__nim=entry, games__nim__rules_kif=TEXT) as url:
        found = await fetch_game(f"{url}/games/nim{tail}")
        assert found == Rulesheet("nim", TEXT, f"{url}/games/nim/v3/")


async def test_a_versioned_entry_keeps_its_version():
    entry = json.dumps({"rulesheet": "rules.kif", "version": 3})
    async with repository(games__nim__v3=entry, games__nim__v3__rules_kif=TEXT) as url:
        found = await fetch_game(f"{url}/games/nim/v3/")
        assert found == Rulesheet("nim", TEXT, f"{url}/games/nim/v3/")


async def test_an_entry_served_as_plain_files_is_read_from_metadata():
    entry = json.dumps({"rulesheet": "rules.kif", "version": 0})
    pages = {"games__nim": "<!DOCTYPE HTML> a listing", "games__nim__METADATA": entry, "games__nim__rules_kif": TEXT}
    async with repository(**pages) as url:
        found = await fetch_game(f"{url}/games/nim/")
        assert found == Rulesheet("nim", TEXT, f"{url}/games/nim/v0/")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (404, "answered 404"),
        ('{"version": 1}', "no `rulesheet` name"),
        ("{not json", "neither a rulesheet nor metadata"),
        ('{"rulesheet": ' + "[" * 100_000, "neither a rulesheet nor metadata"),
        ('{"rulesheet": "gone.kif", "version": 1}', "gone.kif answered 404"),
    ],
)
async def test_a_page_that_is_no_game_is_one_clear_message(page, message):
    async with repository(game=page) as url:
        with pytest.raises(GameError, match=message):
            await fetch_game(f"{url}/game")


async def test_an_endless_answer_is_cut(monkeypatch):
    for module in (fetch, rulesheet):
        monkeypatch.setattr(module, "MAX_BYTES", 1 << 17)

    async def endless(request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"(role a) " * 1000)
        return response

    async with repository(game=endless) as url:
        with pytest.raises(GameError, match="larger than"):
            await fetch_game(f"{url}/game")


async def test_a_server_that_does_not_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(fetch, "FETCH_SECONDS", 0.05)

    async def silent(_):
        await asyncio.Event().wait()

    async with repository(game=silent) as url:
        with pytest.raises(GameError, match=r"did not answer within 0\.05 s"):
            await fetch_game(f"{url}/game")


async def test_a_host_that_is_not_there_is_one_clear_message():
    async with repository() as url:
        pass  # closed again
    with pytest.raises(GameError, match="cannot fetch"):
        await fetch_game(f"{url}/game")


def test_the_bundled_names_are_the_files():
    assert {"ticTacToe", "connectFour", "breakthrough", "nim", "hanoi", "diceRace"} <= set(bundled())


def test_comments_of_other_languages_are_not_sent(tmp_path):
    """On one line their ends are lost, and a parenthesis in them would close the message."""
    (tmp_path / "own.kif").write_text("// one :)\n(role a) #| (role b) ( |# /* ) */ (init p) // two\n(legal a go)")
    assert write_message(Preview(kif_game(str(tmp_path / "own.kif")).text, 1)) == (
        "( PREVIEW (( role a ) ( init p ) ( legal a go ) ) 1 )"
    )


def test_a_game_in_infix_is_sent_in_kif():
    sheet = kif_game("lanterns")
    assert "(role amber)" in sheet.text
    assert sheet.name == "lanterns"
    assert kif_game("nim") == find_game("nim")


def test_a_path_that_the_system_refuses_is_a_readable_error(monkeypatch):
    """A user may give the rules themselves in place of a file; `is_file` also raises without permission."""
    with pytest.raises(GameError, match=r"cannot read '.*File name too long"):
        find_game("(role a)" * 1000)

    def refused(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_file", refused)
    with pytest.raises(GameError, match=r"cannot read 'kept/x\.kif': Permission denied"):
        find_game("kept/x.kif")


@pytest.mark.parametrize("url", ["http://", "https://[::1"])
def test_an_address_without_a_host_is_named(url):
    with pytest.raises(GameError, match=r"cannot fetch 'http\S+': it is no address such as http://HOST/PATH"):
        find_game(url)
