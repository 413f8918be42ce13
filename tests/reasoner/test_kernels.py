"""Compiled kernels are kept, and never used for a source they were not compiled from."""

from reasoner.kernels import SOURCES, digest


def test_a_change_in_any_source_names_another_cache(tmp_path):
    files = [tmp_path / name for name in ("a.py", "b.py")]
    for file in files:
        file.write_text("x = 1\n")
    before = digest(files)
    assert digest(reversed(files)) == before
    files[1].write_text("x = 2\n")
    assert digest(files) != before


def test_all_kernels_stand_where_the_digest_looks():
    root = SOURCES.parent
    users = {path.parent for path in root.rglob("*.py") if "from reasoner.kernels import" in path.read_text()}
    assert users == {SOURCES}
