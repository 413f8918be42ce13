"""TLS of the page's port, from the files that the settings name."""

from __future__ import annotations

import ssl
from pathlib import Path

from agent.errors import SettingsError
from agent.settings import PageSettings

NO_KEY = "page.key is set without page.certificate; name the file of the certificate chain, too"


def tls(settings: PageSettings) -> ssl.SSLContext | None:
    """Return the TLS context of `page.certificate` and `page.key`; None: plain HTTP. Raises SettingsError."""
    if not settings.certificate:
        if settings.key:
            raise SettingsError(NO_KEY)
        return None
    named = {"certificate": settings.certificate} | ({"key": settings.key} if settings.key else {})
    for key, file in named.items():
        try:
            Path(file).read_bytes()
        except OSError as error:
            raise SettingsError(f"page.{key}: cannot read {file}: {error.strerror}") from None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.certificate, settings.key or None, password="")  # "": never prompt
    except ssl.SSLError as error:
        raise SettingsError(_reason(error, settings)) from None
    return context


def _reason(error: ssl.SSLError, settings: PageSettings) -> str:
    if "MISMATCH" in (error.reason or ""):
        return f"page.key: the key in {settings.key or settings.certificate} does not belong to {settings.certificate}"
    return (
        f"page.certificate: {settings.certificate} and {settings.key or 'its own key'} are not a PEM certificate chain "
        f"with an unencrypted key ({error.reason or error})"
    )
