"""A checkout that is not installed runs, and says so."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from click.testing import CliRunner

from agent import resources as module
from agent.cli import main


def raised(name):
    raise PackageNotFoundError(name)


def test_the_installed_version_is_told():
    assert module.own_version() == version("ggp-agent")


def test_without_an_installation_the_version_says_so(monkeypatch):
    monkeypatch.setattr(module, "version", raised)
    assert module.own_version() == module.NOT_INSTALLED


def test_the_doctor_works_without_an_installation(monkeypatch):
    monkeypatch.setattr(module, "version", raised)
    assert module.NOT_INSTALLED in CliRunner().invoke(main, ["doctor"]).output
