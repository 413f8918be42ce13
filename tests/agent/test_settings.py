import json

import pytest

from agent.errors import SettingsError
from agent.settings import DEFAULT_FILE, from_dict, load_settings, to_dict
from reasoner import platform_calls
from reasoner.rewrite.optional import IN_PLAY


def test_the_defaults_come_from_the_default_file():
    settings = load_settings(environment={})
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 9147)
    assert settings.player.spec == "mcts"


def test_the_container_listens_everywhere_and_logs_json():
    settings = load_settings(DEFAULT_FILE.with_name("container.toml"), environment={})
    assert (settings.server.host, settings.log.format) == ("0.0.0.0", "json")


def test_file_environment_and_flags_override_in_this_order(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[server]\nport = 1\nname = "file"\nhost = "file"\n')
    environment = {"GGP_AGENT_SERVER_NAME": "environment", "GGP_AGENT_SERVER_HOST": "environment", "HOME": "/"}
    settings = load_settings(file, environment, {"server.host": "flag", "server.port": None})
    assert (settings.server.port, settings.server.name, settings.server.host) == (1, "environment", "flag")


def test_an_address_may_have_the_brackets_of_urls():
    assert load_settings(environment={}, flags={"server.host": "[::1]"}).server.host == "::1"


def test_checked_mode_is_no_setting():
    assert load_settings(environment={"GGP_AGENT_CHECKED": "1"}) == load_settings(environment={})


def test_whole_numbers_serve_as_numbers(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[clock]\nmargin = 1\n")
    assert load_settings(file, {}).clock.margin == 1.0


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[sever]\n", r"mine.toml: unknown section \[sever\]; did you mean server"),
        ("[server]\nprot = 1\n", "mine.toml: unknown key server.prot; did you mean server.port"),
        ('[server]\nport = "x"\n', "mine.toml: server.port must be a whole number, not 'x'"),
        ("[server]\nport = true\n", "server.port must be a whole number"),
        ("[server]\nport = 65536\n", "server.port must be at most 65535, not 65536"),
        ("[page]\nport = 99999\n", "page.port must be at most 65535, not 99999"),
        ('[server]\nhost = ""\n', "mine.toml: server.host is empty; give 127.0.0.1 "),
        ('[page]\nhost = " "\n', "mine.toml: page.host is empty; give 127.0.0.1 "),
        ("[clock]\nmargin = -1\n", "clock.margin must not be negative"),
        ("[clock]\nmargin_share = 1.5\n", "clock.margin_share must be at most 1, not 1.5"),
        ("[server]\nconnections = 0\n", "mine.toml: server.connections must be more than 0"),
        ("[server]\nbody_mib = 0\n", "server.body_mib must be more than 0"),
        (
            "[build]\nseconds = 0\n",
            'build.seconds must be more than 0; worker.engine = "relational" builds no circuits',
        ),
        ("[clock]\nmargin = nan\n", "clock.margin must not be negative or infinite"),
        ("[rules]\ndepth = 201\n", "rules.depth must be at most 200, not 201"),
        ("[server]\nbody_mib = 1e308\n", "server.body_mib must be at most 1e[+]15, not 1e[+]308"),
        (f"[server]\nmatches = {10**400}\n", "server.matches must be at most 1e[+]15, not 1000"),
        (f"[clock]\nmargin = {10**400}\n", "clock.margin must not be negative or infinite: inf"),
        (f"[clock]\nmargin = {'1' * 5000}\n", "mine.toml: not a TOML file"),
        (f"[server]\nport = 0x{'f' * 5000}\n", "mine.toml: not a TOML file: a number has more than 4,000 digits"),
        ("[worker]\nhang = 0\n", "worker.hang must be more than worker.evaluation"),
        ("[worker]\nevaluation = 30\n", "worker.hang must be more than worker.evaluation"),
        ('[worker]\nengine = "fast"\n', "worker.engine must be one of auto, relational, circuit"),
        ('[rules]\nrewritings = ["keep_view"]\n', "does not accept 'keep_view'; did you mean keep_views"),
        ('[rules]\nrewritings = ["drop_useless"]\n', "does not accept 'drop_useless': matches need every fact"),
        ('[rules]\nrewritings = "keep_views"\n', "rules.rewritings must be a list of names, not 'keep_views'"),
        ("[rules]\nrewritings = [3]\n", "rules.rewritings does not accept 3; known: store_statics, keep_views, unfold"),
        ("[rules]\nrewritings = [[1]]\n", r"rules.rewritings does not accept \[1\]; known: store_statics"),
        ("[rules]\nrewritings = [{a = 1}]\n", "rules.rewritings does not accept {'a': 1}; known: store_statics"),
        ('[journal]\nfolder = "a\\u0000b"\n', "journal.folder must not contain a NUL character"),
        ("[server\n", "mine.toml: not a TOML file"),
        ("server = " + "[" * 5000 + "]" * 5000, "mine.toml: not a settings file: nested too deeply"),
        ("server = 3\n", "server must be a section"),
    ],
)
def test_a_wrong_setting_is_one_clear_message(tmp_path, text, what):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=what) as error:
        load_settings(file, {})
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"none.toml: cannot be read: No such file"):
        load_settings(tmp_path / "none.toml", {})


def test_a_misspelled_variable_is_named():
    with pytest.raises(SettingsError, match="GGP_AGENT_SERVER_PROT; did you mean GGP_AGENT_SERVER_PORT"):
        load_settings(environment={"GGP_AGENT_SERVER_PROT": "1"})
    with pytest.raises(SettingsError, match=r"GGP_AGENT_CLOCK_USE_START.*true or false"):
        load_settings(environment={"GGP_AGENT_CLOCK_USE_START": "maybe"})


def test_settings_travel_to_another_process_and_back():
    settings = load_settings(environment={"GGP_AGENT_SERVER_PORT": "0"})
    assert from_dict(to_dict(settings)) == settings


def test_rewritings_are_a_list_in_files_and_words_with_commas_in_the_environment(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[rules]\nrewritings = ["keep_views"]\n')
    assert load_settings(environment={}).rules.rewritings == ()
    assert load_settings(file, {}).rules.rewritings == ("keep_views",)
    settings = load_settings(file, {"GGP_AGENT_RULES_REWRITINGS": "store_statics, unfold"})
    assert settings.rules.rewritings == ("store_statics", "unfold")
    assert from_dict(json.loads(json.dumps(to_dict(settings)))) == settings


def test_the_settings_know_the_rewritings_that_a_machine_may_have():
    for one in IN_PLAY:
        load_settings(environment={"GGP_AGENT_RULES_REWRITINGS": one.name})


def test_the_margin_is_a_share_of_short_clocks():
    clock = load_settings(environment={}).clock
    assert clock.margin_of(100.0) == clock.margin
    assert clock.margin_of(0.1) == pytest.approx(0.1 * clock.margin_share)


@pytest.mark.parametrize(
    ("processors", "gib", "matches", "analyses"),
    [(2, 4, 1, 1), (4, 64, 1, 1), (16, 64, 4, 4), (16, 16, 2, 4), (64, 0, 16, 16)],
)
def test_places_fit_the_processors_and_the_memory_of_the_machine(processors, gib, matches, analyses, monkeypatch):
    """A match needs the memory of its worker and of its build, an analysis that of its worker; 0: unknown."""
    monkeypatch.setattr(platform_calls, "usable_processors", lambda: processors)
    monkeypatch.setattr(platform_calls, "machine_memory", lambda: gib << 30)
    settings = load_settings(environment={})
    assert (settings.server.matches, settings.page.analyses) == (matches, analyses)
    assert load_settings(environment={"GGP_AGENT_SERVER_MATCHES": "3"}).server.matches == 3
    with pytest.raises(SettingsError, match=r"server\.matches must be a whole number or auto"):
        load_settings(environment={"GGP_AGENT_SERVER_MATCHES": "many"})


def test_variables_that_kubernetes_sets_for_a_service_of_this_name_are_no_settings():
    set_by_kubernetes = {
        "GGP_AGENT_SERVICE_HOST": "10.0.0.7",
        "GGP_AGENT_SERVICE_PORT_HTTP": "9147",
        "GGP_AGENT_PORT": "tcp://10.0.0.7:9147",
        "GGP_AGENT_PORT_9147_TCP_ADDR": "10.0.0.7",
    }
    assert load_settings(environment=set_by_kubernetes) == load_settings(environment={})
