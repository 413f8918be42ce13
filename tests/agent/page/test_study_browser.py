"""Studies in Chromium: branches named, marked, commented, promoted, deleted; saved, opened again, shared by a link."""

import json

import pytest

from tests.agent.page.browser import copied, faults_of, need_chromium, serving
from tests.agent.page.test_animations import frames_of
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()

NAMED = "; Nine stones.\n" + STONES


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    settings = {"PAGE_ANALYSES": "4", "PAGE_ANALYSIS_SECONDS": "1"}
    with serving(tmp_path_factory.mktemp("agent"), "--player", "mcts:simulations=60,ponder=false", **settings) as it:
        yield it


def analyse(page, agent):
    """Nine stones with two branches: (take 1), and (take 2) with its answer."""
    page.goto(f"{agent}/#/analysis")
    page.get_by_label("pasted rules").press("Space")
    page.fill("#rules", NAMED)
    page.get_by_role("button", name="Analyse", exact=True).press("Enter")
    for before, move in (("Step 0", "(take 1)"), ("Step 0", "(take 2)"), ("Step 1", "(take 1)")):
        page.wait_for_selector(f"text={before}, ")
        page.locator(f"[data-key='move {move}']").press("Enter")
        page.wait_for_selector(f"text=Step {int(before[-1]) + 1}, ")
        if move == "(take 1)" and before == "Step 0":
            page.get_by_label("Step back").press("Enter")


def branches(page):
    return " ".join(page.locator(".branches").inner_text().split())


def go(page, node):
    page.locator(f".branches [data-key='node {node}']").press("Enter")
    page.wait_for_selector(f".branches [data-key='node {node}'][aria-current]")


def annotate(page):
    page.locator("summary", has_text="Notes and study").press("Enter")
    go(page, 2)
    page.get_by_label("Mark of this move").select_option("!?")
    page.get_by_label("Name of this branch").fill("Main idea")
    page.get_by_label("Comment").fill("Leaves seven.")


def test_a_branch_is_marked_named_commented_promoted_and_deleted_by_keyboard(by_keys, agent):
    page = by_keys
    page.set_viewport_size({"width": 390, "height": 900})
    analyse(page, agent)
    annotate(page)
    assert "!? Main idea Leaves seven." in branches(page)
    assert faults_of(page, "study") == []
    assert page.locator(".branches .others button").count() == 2
    page.get_by_role("button", name="Promote this branch").press("Enter")
    assert page.locator(".branches .others button").all_inner_texts() == ["1. take 1"]
    page.reload()
    page.wait_for_selector(".branches")
    assert "!? Main idea Leaves seven." in branches(page)
    page.locator("summary", has_text="Notes and study").press("Enter")
    page.get_by_role("button", name="Delete from here").press("Enter")
    page.wait_for_selector("text=Step 0, ")
    assert "Main idea" not in branches(page)
    assert page.locator(".branches button").count() == 2


def test_a_study_is_saved_and_opened_again_from_its_file_and_by_its_link(page, agent):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=agent)
    analyse(page, agent)
    annotate(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the study").press("Enter")
    study = json.loads(download.value.path().read_text())
    assert study["rules"] == NAMED
    assert [node["parent"] for node in study["nodes"]] == [None, 0, 0, 2]
    before = branches(page)
    link = copied(page, "Copy a link to the study")
    for again in ("file", "link"):
        page.evaluate("sessionStorage.clear()")
        page.goto("about:blank")
        if again == "link":
            page.goto(link)
        else:
            page.goto(f"{agent}/#/analysis")
            page.set_input_files("#study", download.value.path())
        page.wait_for_selector(".branches")
        assert branches(page) == before
        assert page.locator(".head h2").inner_text() == "Nine stones"


def test_a_damaged_study_is_refused_with_the_reason(page, agent, tmp_path):
    page.goto(f"{agent}/#/analysis")
    for text, said in (
        ("{", "not JSON"),
        ("{}", "not a study"),
        ('{"format": "ggp-agent study", "version": 1}', "damaged"),
    ):
        (tmp_path / "study.json").write_text(text)
        page.set_input_files("#study", tmp_path / "study.json")
        page.wait_for_selector(f".problem:has-text('{said}')")


def test_a_position_is_saved_as_a_picture_and_a_line_as_an_animation(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.wait_for_selector(".branches")
    page.locator("td button[aria-label='2 2: empty']").click()
    page.wait_for_selector("text=Step 1, ")
    page.locator("summary", has_text="Notes and study").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the position as SVG").press("Enter")
    assert download.value.path().read_text().startswith("<svg")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as PNG").press("Enter")
    assert download.value.suggested_filename == "ticTacToe.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    page.locator("summary", has_text="Save as an animation").press("Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the animation").press("Enter")
    assert len(frames_of(download.value.path().read_bytes())[1]) == 2
    page.route("**/api/animations", lambda route: route.fulfill(status=400, json={"error": "the frames are too large"}))
    page.get_by_role("button", name="Save the animation").press("Enter")
    page.wait_for_selector(".animation .problem:has-text('The frames are too large.')")
