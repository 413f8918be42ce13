"""What holds for all tests: hypothesis judges what code does, never how long it took on a busy machine."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
