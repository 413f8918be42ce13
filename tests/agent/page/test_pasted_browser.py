"""Pasted rules in Chromium: kept in the browser, edited again, sent as links, and played by who waits for a place."""

import json
import time

import pytest

from tests.agent.page.browser import copied, faults_of, need_chromium, serving, write
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()

NAMED = "; Nine stones. Who takes the last wins.\n" + STONES
LONG = NAMED + "".join(f"(word w{number * 7919 % 99991} v{number * 104729 % 99991})\n" for number in range(1500))


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    settings = {"SERVER_MATCHES": "1", "PAGE_ANALYSES": "1"}
    player = "mcts:simulations=60,ponder=false"
    with serving(tmp_path_factory.mktemp("agent"), "--player", player, **settings) as address:
        yield address


@pytest.fixture
def other(browser):
    tab = browser.new_page()
    yield tab
    tab.close()


def paste(page, agent, rules=NAMED, view="play"):
    page.goto(f"{agent}/#/{view}")
    page.wait_for_selector("#game option", state="attached")
    page.get_by_label("pasted rules").check()
    write(page, rules)


def begin(page, agent, rules=NAMED):
    """A game of pasted rules, up to one's own turn."""
    paste(page, agent, rules)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    page.select_option("#role", "as first")
    page.fill("#start-clock", "0.5")
    page.fill("#play-clock", "20")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")


def test_a_game_that_is_begun_before_the_check_of_its_rules_has_a_role_for_the_visitor(page, agent):
    paste(page, agent)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    leave(page)


def test_rules_that_others_replace_in_the_form_are_in_the_list_of_used_ones(page, agent, tmp_path):
    file = tmp_path / "other.kif"
    file.write_text(STONES.replace("heap", "pile"))
    paste(page, agent)
    page.set_input_files("#file", file)
    page.wait_for_function("() => document.querySelector('#rules').value.includes('pile')")
    page.get_by_label("or rules used before").select_option(label="Nine stones. Who takes the last wins.")
    assert page.locator("#rules").input_value() == NAMED
    assert "other" in page.locator("#used option").all_inner_texts()


LAMPS = """
(role me) (lamp a) (lamp b) (init (off a)) (init (off b)) (init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal me (press ?x)) (lamp ?x) (true (step 1)))
(<= (legal me (press b)) (true (step 2)))
(<= (legal me (smash ?x)) (lamp ?x) (true (step 1)))
(<= (next (on ?x)) (does me (press ?x)) (true (off ?x)))
(<= (next (off ?x)) (does me (press ?x)) (true (on ?x)))
(<= (next (on ?x)) (true (on ?x)) (not (does me (press ?x))))
(<= (next (off ?x)) (true (off ?x)) (not (does me (press ?x))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal me 100) (true (on a)))
(<= (goal me 0) (not (true (on a))))
"""


def test_a_switch_that_two_moves_name_makes_neither(page, agent):
    paste(page, agent, LAMPS)
    page.wait_for_selector("#role option[value='as me']", state="attached")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    assert page.locator(".switches li").count() == 2
    assert page.locator(".switches button").count() == 0
    page.get_by_role("button", name="smash a").click()
    page.locator(".switches button").wait_for()
    leave(page)


def test_a_game_that_is_begun_before_the_check_of_other_rules_has_one_of_their_roles(page, agent):
    """The role that was offered for the rules before is none of theirs."""
    paste(page, agent, LAMPS)
    page.wait_for_selector("#role option[value='as me']", state="attached")
    write(page, NAMED)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    leave(page)


def test_a_game_that_is_begun_right_after_its_rules_are_mended_has_a_role_for_the_visitor(page, agent):
    """The roles that were offered before the fault are offered no more."""
    paste(page, agent)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    write(page, NAMED.replace("(role second)", "(role second"))
    page.wait_for_selector("#role option[value='as first']", state="detached")
    write(page, NAMED)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    leave(page)


def test_a_long_name_of_a_value_does_not_widen_the_page_of_a_phone(page, agent):
    long = "x" * 60
    paste(page, agent, STONES.replace("first", long))
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size(size)
    leave(page)


def leave(page):
    page.get_by_role("button", name="Leave the game").click()
    page.wait_for_selector("text=Play against the agent")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'free'")


def analyse(page, agent, rules=NAMED):
    paste(page, agent, rules, "analysis")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_selector(".branches")


def link_of(page):
    """The link to the position that is shown, as the address bar has it once it is made."""
    page.wait_for_function("() => /^#.analysis.(rules|sheet)/.test(location.hash)")
    return page.evaluate("location.hash")


def test_pasted_rules_outlive_another_view_a_reload_and_another_game(page, agent):
    """Whoever writes rules looks at other views meanwhile, and plays again."""
    paste(page, agent)
    for view, title in (("history", "Matches"), ("play", "Play against the agent")):
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"main h2:has-text('{title}')")
    assert page.locator("#rules").input_value() == NAMED
    page.reload()
    page.wait_for_selector("#role option[value='as first']", state="attached")
    assert page.locator("#rules").input_value() == NAMED
    begin(page, agent)
    assert page.locator(".head h2").inner_text() == "Nine stones"
    page.reload()
    page.wait_for_selector(".turn[data-phase=person]")
    leave(page)
    assert page.locator("#rules").input_value() == NAMED
    assert page.locator("#rules").is_visible()


def test_each_tab_keeps_its_own_rules(page, other, agent):
    """Another tab in which other rules are written takes none away; a new tab begins with the last ones."""
    paste(page, agent)
    paste(other, agent, STONES)
    for view in ("report", "play"):
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector("#rules:visible")
        assert page.locator("#rules").input_value() == NAMED
    page.reload()
    page.wait_for_selector("#rules:visible")
    assert page.locator("#rules").input_value() == NAMED


def test_the_rules_of_every_game_can_be_edited_and_those_before_are_not_lost(page, agent):
    paste(page, agent)
    page.get_by_label("a bundled game").check()
    page.get_by_role("button", name="Edit the rules").click()
    page.wait_for_selector("#rules")
    assert "(role cross)" in page.locator("#rules").input_value()
    assert page.locator("#rules-name").input_value() != ""
    assert faults_of(page, "edit") == []
    page.select_option("#used", label="; Nine stones. Who takes the last wins."[2:])
    assert page.locator("#rules").input_value() == NAMED
    begin(page, agent)
    page.get_by_role("button", name="Edit the rules").click()
    page.wait_for_selector("#rules")
    assert page.locator("#rules").input_value() == NAMED
    page.get_by_role("button", name="Leave my other game: Nine stones").click()
    page.wait_for_function("() => document.querySelector('#status').innerText === 'free'")


def test_a_file_gives_its_name_to_the_game_and_other_rules_have_another(page, agent, tmp_path):
    (tmp_path / "nine heaps.kif").write_text(STONES)
    paste(page, agent, "(role x)")
    page.set_input_files("#file", tmp_path / "nine heaps.kif")
    page.wait_for_function("() => document.querySelector('#rules-name').value === 'nine heaps'")
    assert page.locator("#rules").input_value() == STONES
    page.wait_for_function("() => !document.querySelector('#file').value")  # so that it can be chosen again
    page.fill("#rules", NAMED)
    assert page.locator("#rules-name").input_value() == ""


DROP = """(box, [name, text]) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], name))
    for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        if (box.dispatchEvent(event)) throw Error(`${type} is left to the browser, which would open the file`)
    }
}"""


def test_a_file_that_is_dropped_on_the_editor_is_read_as_by_its_button(page, agent):
    paste(page, agent, "(role x)")
    page.eval_on_selector("#rules", DROP, ["nine heaps.kif", STONES])
    page.wait_for_function("() => document.querySelector('#rules-name').value === 'nine heaps'")
    assert page.locator("#rules").input_value() == STONES
    page.eval_on_selector("footer, nav", DROP, ["nine heaps.kif", STONES])  # elsewhere it has no effect


def test_a_link_contains_small_rules_and_opens_while_its_sender_analyses_the_position(page, other, agent):
    """The receiver sees game and position at once, and gets the search when the sender has gone."""
    analyse(page, agent)
    page.wait_for_selector(".engine .moves tbody tr")
    page.locator("[data-key='move (take 2)']").click()
    page.wait_for_selector("text=Step 1, second to move")
    page.wait_for_function("() => /;|take/.test(location.hash)")
    link = link_of(page)
    assert link.startswith("#/analysis/rules/")
    assert len(link) < 1000
    other.set_viewport_size({"width": 390, "height": 780})
    other.emulate_media(color_scheme="dark")
    other.goto(f"{agent}/{link}")
    other.wait_for_selector("text=Step 1, second to move")
    assert other.locator(".head h2").inner_text() == "Nine stones"
    assert "heap 7" in " ".join(other.locator(".counters").inner_text().split())
    assert other.evaluate("document.documentElement.scrollWidth") == 390
    assert faults_of(other, "link-received") == []
    other.locator("[data-key='move (take 1)']").click()  # moves are tried without a search, too
    other.wait_for_selector("text=Step 2, first to move")
    page.goto("about:blank")
    other.wait_for_selector(".engine .moves tbody tr")


def test_a_second_page_waits_in_the_queue_until_the_first_has_gone(page, other, agent):
    """The game is not solved meanwhile, so the first page would keep its search for a whole turn."""
    for tab, wanted in ((page, ".engine .moves tbody tr"), (other, "text=in use. This analysis is number 1")):
        tab.goto(f"{agent}/#/analysis/game/connectFour")
        tab.wait_for_selector(wanted)
    page.goto("about:blank")
    other.wait_for_selector(".engine .moves tbody tr")


def test_a_broken_link_says_so_beside_the_form(page, agent):
    """The roles of the draft that the form then shows do not wipe the message, and no page stays empty."""
    page.goto(f"{agent}/#/play/edit")
    page.fill("#rules", STONES)
    page.wait_for_selector("#role option[value='as second']", state="attached")
    page.goto("about:blank")
    page.goto(f"{agent}/#/play/rules/AAAA")
    page.wait_for_selector("#role option[value='as second']", state="attached")
    assert "cannot be read" in page.locator(".problem:not(:empty)").inner_text()
    page.goto(f"{agent}/#/analysis/game/nim%E0%A4")
    page.wait_for_selector("text=No bundled game has this name")


@pytest.mark.parametrize("view", ["play", "report"])
def test_a_link_to_an_unknown_game_says_so(page, agent, view):
    page.goto(f"{agent}/#/{view}/game/noSuchGame")
    page.wait_for_selector("#about-game >> text=This agent has no game named noSuchGame.")
    page.select_option("#game", "connectFour")
    assert "noSuchGame" not in page.locator("#about-game").inner_text()


def test_a_link_to_an_unknown_game_of_others_says_so(page, agent):
    page.goto(f"{agent}/#/play/watch/none")
    page.wait_for_selector("text=This game no longer exists")
    assert page.url.endswith("#/play")


def test_longer_rules_are_kept_by_the_agent_and_named_by_the_link(page, other, agent):
    analyse(page, agent, LONG)
    link = link_of(page)
    assert link.startswith("#/analysis/sheet/")
    assert len(link) < 100
    page.goto("about:blank")
    other.goto(f"{agent}/{link}")
    other.wait_for_selector("text=Step 0, first to move")
    assert other.locator(".head h2").inner_text() == "Nine stones"


def test_a_link_is_copied_from_analysis_from_a_game_and_from_a_match(page, agent):
    """Also where the browser gives no clipboard, as on plain http from another machine."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=agent)
    analyse(page, agent)
    link_of(page)
    assert copied(page, "Copy link") == page.url
    begin(page, agent)
    page.locator("[data-key='move (take 1)']").click()
    page.wait_for_selector("text=Step 2")
    link = copied(page, "Copy a link to this position")
    leave(page)
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("text=Step 2, first to move")
    page.evaluate(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false"
    )
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_selector(".copylink input")
    assert page.locator(".copylink input").input_value() == page.url


def test_who_comes_while_all_places_are_taken_reads_so_and_waits(page, other, agent):
    """The page says that all match slots are in use, and waits for one instead of using random moves silently."""
    begin(page, agent)
    other.goto(f"{agent}/#/play")
    other.wait_for_selector("text=All match slots of this agent")
    assert faults_of(other, "places-taken") == []
    other.fill("#start-clock", "0.5")
    other.get_by_role("button", name="Wait, then begin").click()
    other.wait_for_selector("text=Waiting for a free match slot; the game starts automatically")
    page.get_by_role("button", name="Leave the game").click()
    other.wait_for_selector(".turn[data-phase=person]")
    assert "random" not in other.locator(".players").inner_text()
    leave(other)


def test_random_moves_are_played_by_who_asks_for_them(page, other, agent):
    begin(page, agent)
    other.goto(f"{agent}/#/play")
    other.get_by_role("button", name="Play against random moves").click()
    other.wait_for_selector(".turn[data-phase=person]")
    assert "random moves" in other.locator(".players").inner_text()
    other.get_by_role("button", name="Leave the game").click()
    leave(page)


SHOWN = "async told => (await import('/page/engine.js')).engineWords(told)"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"engine": "circuit"}, ""),
        (
            {"engine": "relational", "building": True, "rate": 70.2},
            "The circuit of this game is being compiled. Until then the slower relational engine searches: "
            "70 simulations/s.",
        ),
        (
            {"engine": "relational", "missing": "too many rules", "rate": 0.42},
            "This game has no circuit (too many rules), so the search is slow: 0.4 simulations/s.",
        ),
        ({"engine": "relational"}, "The relational engine searches."),
        (None, ""),
    ],
)
def test_the_engine_is_reported_in_words(page, agent, told, words):
    page.goto(agent)
    assert page.evaluate(SHOWN, told) == words


def test_a_person_reads_that_the_circuit_is_compiled_and_may_wait_for_it(page, agent):
    """While the relational engine plays, the page says so and offers to wait for the circuit."""
    position = {"step": 0, "joint": [], "errors": [], "picture": {"grids": [], "others": {}}, "at": 1000 * time.time()}
    data = {"title": "two", "roles": ["me", "it"], "person": 0, "phase": "person", "key": 0, "position": position}
    data |= {
        "moves": [],
        "notes": [],
        "percepts": [],
        "players": ["you", "agent"],
        "goals": None,
        "asked": None,
        "waiting": False,
    }
    data["engine"] = {"engine": "relational", "building": True, "missing": "", "rate": 70.0}
    events = f"event: table\ndata: {json.dumps(data)}\n\n"
    asked = []
    page.route("**/api/play/t/events", lambda route: route.fulfill(body=events, content_type="text/event-stream"))
    page.route("**/api/play/t/await", lambda route: (asked.append(route.request.post_data), route.fulfill(body="{}")))
    page.goto(agent)
    page.evaluate("sessionStorage.setItem('ggp-agent table', 't')")
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("text=70 simulations/s")
    page.get_by_role("button", name="Wait for the circuit").click()
    page.wait_for_function("() => performance.getEntriesByType('resource').some(one => one.name.endsWith('/await'))")
    assert asked == ['{"wait":true}']
    assert faults_of(page, "engine-told") == []


THINKING = "async figures => (await import('/page/thinking.js')).thinking({ step: 1, figures }).innerText"


def test_the_agents_lone_move_is_no_ranking(page, agent):
    """While it is the visitor's turn the agent only waits: `noop 100%` tells nothing."""
    page.goto(agent)
    noop = {"moves": [{"move": "noop", "visits": 60, "value": 50, "proven": False}], "line": [["a", "noop"]]}
    said = page.evaluate(THINKING, noop)
    assert "Only one move is legal: pass." in said
    assert "100%" not in said
    assert "Expected line" not in said


def test_a_game_of_subgames_has_one_ranking_for_each_and_says_why_its_move_is_played(page, agent):
    """Bold, order and bars of one table must not name different moves."""
    page.goto(agent)
    whole = [{"move": m, "visits": v, "value": 50, "proven": False} for m, v in (("a", 3), ("b", 60))]
    part = [{"move": m, "visits": v, "value": 50, "proven": False} for m, v in (("x", 9), ("y", 1))]
    parts = [{"moves": part, "gain": 12.4, "played": True}, {"moves": part, "gain": 0, "played": False}]
    figures = {"moves": whole, "best": "a", "parts": parts, "reason": "the subgame searches recommend it"}
    said = page.evaluate(THINKING, figures)
    assert "Best move: a (the subgame searches recommend it)." in said
    assert "Subgame 1: its best move is played" in said
    assert "gains 12 points compared" in said
    assert "60" not in said  # nothing of the whole's visits
    bold = "async f => [...(await import('/page/thinking.js')).thinking({ figures: f }).querySelectorAll('.best th')]"
    assert page.evaluate(f"async f => (await ({bold})(f)).map(e => e.innerText)", figures) == ["x", "x"]


def test_what_a_browser_keeps_may_be_damaged_and_the_page_continues(page, agent):
    """Other programs, and older versions of the page, write there, too."""
    page.goto(agent)
    for value in ("{", "[]", "7", json.dumps([{"text": 7}])):
        for key in ("draft", "rules", "tables"):
            page.evaluate("([k, v]) => localStorage.setItem(k, v)", [f"ggp-agent {key}", value])
        page.evaluate("v => sessionStorage.setItem('ggp-agent source', v)", value)
        page.goto("about:blank")
        page.goto(f"{agent}/#/play")
        page.wait_for_selector("#game option", state="attached")


BLOCKED = """for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get () { throw new DOMException('Access is denied', 'SecurityError') } })
}"""


def test_every_view_works_in_a_browser_that_blocks_site_data(page, agent):
    """There the mere mention of the storage raises an error."""
    blocked = page.context.new_page()
    faults = []
    blocked.on("pageerror", lambda fault: faults.append(str(fault)))
    blocked.add_init_script(BLOCKED)
    for view in ("games", "play", "analysis", "puzzles", "history", "report", "tournament"):
        blocked.goto("about:blank")
        blocked.goto(f"{agent}/#/{view}")
        blocked.wait_for_selector("main h2, main h3, main form", state="attached")
    blocked.goto(f"{agent}/#/play")
    blocked.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    blocked.select_option("#game", "ticTacToe")
    blocked.get_by_role("button", name="Begin").click()
    blocked.get_by_role("button", name="Leave the game").click()
    blocked.wait_for_selector("#game")
    assert faults == []
    blocked.close()


def test_a_link_whose_key_would_lead_to_another_address_says_so(page, agent):
    page.goto(f"{agent}/#/play/watch/%2e%2e")
    page.wait_for_selector("text=This game no longer exists")
