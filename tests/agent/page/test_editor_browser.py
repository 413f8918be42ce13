"""The editor of rules in Chromium: colours, faults as one types, completion, meanings, templates, by keyboard alone."""

import pytest

from tests.agent.page.browser import faults_of, keep, need_chromium
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()

BROKEN = "(role me)\n(<= (legal me go) (true (at ?x)))\n(<= (next (at ?y)) (true (at ?x)))\n"
INFIX = "% stones\nrole(me)\nnext(heap(N)) :- does(me,go) & true(heap(N))"


def edit(page, agent, rules, view="play"):
    page.goto(f"{agent}/#/{view}")
    page.wait_for_selector("#game option", state="attached")
    page.get_by_label("pasted rules").press("Space")
    page.fill("#rules", rules)


def spans(page, kind):
    return page.locator(f".layer .{kind}").all_inner_texts()


COLUMNS = """() => {
    const text = document.querySelector('.layer').textContent
    const wide = document.querySelector('.layer').getBoundingClientRect().left
    return [...document.querySelectorAll('.layer span')].map(span => {
        const before = document.createRange()
        before.setStart(document.querySelector('.layer'), 0)
        before.setEndBefore(span)
        const column = before.toString().split('\\n').at(-1).length
        return [column, span.getBoundingClientRect().left - wide - 8, span.innerText]
    })
}"""
"""The column of every coloured word, and its distance from the first column in pixels."""


def caret(page, at):
    page.locator("#rules").focus()
    page.locator("#rules").evaluate("(box, at) => box.setSelectionRange(at, at)", at)


def test_faults_are_underlined_as_one_types(page, agent):
    """No button is pressed: the agent checks the text once the typing pauses."""
    edit(page, agent, BROKEN)
    page.wait_for_selector(".layer .fault.error")
    assert "?y" in spans(page, "fault")
    assert page.locator(".faults .error").count() >= 1
    assert faults_of(page, "editor") == []
    page.fill("#rules", STONES)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    assert page.locator(".layer .fault.error").count() == 0


def test_both_notations_are_coloured_and_the_layer_has_the_text_of_the_field(page, agent):
    edit(page, agent, STONES)
    assert {"role", "legal", "does", "next", "goal", "terminal"} <= set(spans(page, "keyword"))
    assert "<=" in spans(page, "connective")
    assert any(word.startswith("?") for word in spans(page, "variable"))
    shown = page.locator(".layer").evaluate("layer => layer.textContent")
    assert STONES.startswith(shown[:100])
    columns = page.evaluate(COLUMNS)
    letter = max(left / column for column, left, _ in columns if column)
    assert [word for column, left, word in columns if abs(left - column * letter) > 1] == []
    page.fill("#rules", INFIX)
    assert spans(page, "keyword") == ["role", "next", "does", "true"]
    assert spans(page, "connective") == [":-", "&"]
    assert spans(page, "comment") == ["% stones"]


def test_the_layer_stays_under_the_text_when_it_is_scrolled_in_both_directions(page, agent):
    """The letters of layer and field are at the same place: the caret's line is that of the layer."""
    wide = "\n".join(f"(fact{number} {'x' * 100} end)" for number in range(3000))
    edit(page, agent, "")
    page.locator("#rules").evaluate("(e, t) => { e.value = t; e.dispatchEvent(new Event('input')) }", wide)
    page.locator("#rules").evaluate("e => { e.scrollTop = 20000; e.scrollLeft = 400 }")
    page.wait_for_function("() => document.querySelector('.gutter').innerText.includes('955')")
    place = """() => {
        const box = document.querySelector('#rules')
        const span = [...document.querySelectorAll('.layer .relation')].find(one => one.innerText === 'fact960')
        const [field, word] = [box.getBoundingClientRect(), span.getBoundingClientRect()]
        return [word.top - field.top + box.scrollTop, word.left - field.left + box.scrollLeft]
    }"""
    top, left = page.evaluate(place)
    assert abs(top - (8 + 960 * 21)) < 3
    assert 10 < left < 30  # after the padding and one bracket


def test_a_list_of_words_closes_when_the_caret_leaves_the_begun_word(by_keys, agent):
    page = by_keys
    rules = "(role me)\n(init (heap 3))\n"
    edit(page, agent, rules)
    for key, taking in (("Home", "Tab"), ("Control+Home", "Tab"), ("ArrowLeft", "Enter")):
        page.locator("#rules").fill(rules)
        caret(page, len(rules))
        page.keyboard.type("(tru")
        page.locator(".completions:not([hidden]) li").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
        page.locator(".completions").wait_for(state="hidden")
        page.keyboard.press(taking)
        left = page.locator("#rules").input_value()
        assert left.replace("\n", "") == f"{rules}(tru".replace("\n", "")
        page.locator("#rules").focus()


def test_a_click_elsewhere_in_the_rules_closes_the_list_of_words(page, agent):
    rules = "(tru\n(role me)\n(init (heap 3))\n"
    edit(page, agent, rules)
    caret(page, 4)
    page.keyboard.press("Control+Space")
    page.locator(".completions:not([hidden]) li").first.wait_for()
    page.locator("#rules").click(position={"x": 200, "y": 100})
    page.locator(".completions").wait_for(state="hidden")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#rules").input_value().replace("\n", "") == rules.replace("\n", "")


def test_words_are_completed_by_keyboard_and_nothing_traps_it(by_keys, agent):
    page = by_keys
    edit(page, agent, "(role me)\n(init (heap 3))\n")
    caret(page, len("(role me)\n(init (heap 3))\n"))
    page.keyboard.type("(<= term")
    assert page.locator(".completions:not([hidden]) li").all_inner_texts() == ["terminal"]
    assert faults_of(page, "completion") == []
    page.keyboard.press("Tab")
    page.keyboard.type(" (true (he")
    page.keyboard.press("Tab")
    page.keyboard.type(" 3)))")
    assert page.locator("#rules").input_value().endswith("(<= terminal (true (heap 3)))")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Space")
    assert page.locator(".completions:not([hidden]) li").count() > 3
    page.keyboard.press("ArrowDown")
    second = page.locator("[role=option][aria-selected=true]").inner_text()
    assert page.locator("#rules").get_attribute("aria-activedescendant") == "completion-1"
    page.keyboard.press("Enter")
    assert page.locator("#rules").input_value().endswith("\n" + second)
    page.keyboard.press("Control+z")
    assert not page.locator("#rules").input_value().endswith("\n" + second)
    page.keyboard.type("(di")
    page.keyboard.press("Escape")
    assert page.locator(".completions:not([hidden]) li").count() == 0
    page.keyboard.press("Enter")
    assert page.locator("#rules").input_value().endswith("(di\n")
    page.keyboard.press("Tab")
    assert page.locator("#rules").evaluate("box => box !== document.activeElement")


def test_a_keyword_is_explained_under_the_caret_and_under_the_pointer(page, agent):
    edit(page, agent, "(role me)\n(<= (legal me go) (true (at 1)))")
    caret(page, 2)
    page.keyboard.press("ArrowRight")
    assert page.locator("#meaning").inner_text().startswith("(role ROLE) names a role")
    box = page.locator("#rules").bounding_box()
    page.mouse.move(box["x"] + 8 + 6.5 * 8.4, box["y"] + 8 + 30)  # in the second line, on `legal`
    assert page.locator("#meaning").inner_text().startswith("(legal ROLE MOVE)")
    page.mouse.move(5, 5)
    assert page.locator("#meaning").inner_text().startswith("(role ROLE)")
    page.keyboard.press("Home")
    assert len(spans(page, "pair")) == 2


def test_every_template_can_be_played_and_the_rules_before_are_kept(page, agent):
    edit(page, agent, STONES)
    titles = [text for text in page.locator("#template option").all_inner_texts() if text != "choose …"]
    assert len(titles) >= 5
    page.wait_for_selector("#role option[value='as first']", state="attached")  # no earlier check is under way
    for title in titles:
        with page.expect_response("**/api/check") as answer:
            page.select_option("#template", label=title)
        found = answer.value.json()
        assert found.get("roles"), (title, found)
        assert all(one["severity"] == "warning" for one in found["faults"]), title
    keep(page, "template")
    page.goto("about:blank")
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").press("Space")
    page.select_option("#used", label=STONES.strip().splitlines()[0].lstrip(";% ")[:50])
    assert page.locator("#rules").input_value() == STONES


def test_rules_that_the_agent_has_no_time_to_read_are_checked_again_and_keep_their_roles(page, agent):
    edit(page, agent, STONES)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    page.route("**/api/check", lambda route: route.fulfill(status=503, json={"error": "too many rulesheets"}))
    page.fill("#rules", STONES + "(role third)\n")
    page.wait_for_selector("text=Too many rulesheets.")
    assert page.locator("#role option").all_inner_texts()[0] == "first"
    page.unroute("**/api/check")
    page.wait_for_selector("#role option[value='as third']", state="attached")
    assert page.locator("text=Too many rulesheets.").count() == 0


def test_the_form_says_why_rules_at_a_url_cannot_be_read_until_another_source_is_chosen(page, agent):
    page.goto(f"{agent}/#/play")
    page.get_by_label("rules at a URL").check()
    page.fill("#url", "http://games.example/x.kif")
    page.locator("#url").blur()
    page.wait_for_selector("text=may not read rules from this site")
    page.get_by_label("a bundled game").check()
    assert page.locator("text=may not read rules from this site").count() == 0
