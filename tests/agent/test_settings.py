import pytest

from agent.errors import SettingsError
from agent.settings import DEFAULT_FILE, from_dict, load_settings, to_dict


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


def test_whole_numbers_serve_as_numbers(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[clock]\nmargin = 1\n")
    assert load_settings(file, {}).clock.margin == 1.0


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[sever]\n", r"mine.toml: unknown section \[sever\]; did you mean server"),
        ("[server]\nprot = 1\n", "mine.toml: unknown key server.prot; did you mean server.port"),
        ('[server]\nport = "x"\n', "mine.toml: server.port must be a whole number, and is 'x'"),
        ("[server]\nport = true\n", "server.port must be a whole number"),
        ("[clock]\nmargin = -1\n", "clock.margin must not be negative"),
        ("[clock]\nmargin = nan\n", "clock.margin must not be negative or infinite"),
        ('[worker]\nengine = "fast"\n', "worker.engine must be one of auto, relational, circuit"),
        ("[server\n", "mine.toml: not a TOML file"),
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


def test_the_margin_is_a_share_of_short_clocks():
    clock = load_settings(environment={}).clock
    assert clock.margin_of(100.0) == clock.margin
    assert clock.margin_of(0.1) == pytest.approx(0.1 * clock.margin_share)
