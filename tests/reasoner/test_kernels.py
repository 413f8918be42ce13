"""Compiled kernels are kept, and never used for a source they were not compiled from."""

from reasoner.kernels import NATIVE, ROOT, digest, sources

FILES = [path for path in (ROOT / "reasoner").rglob("*.py") if NATIVE.search(path.read_text())]


def test_a_change_in_any_source_names_another_cache(tmp_path):
    files = [tmp_path / name for name in ("a.py", "b.py")]
    for file in files:
        file.write_text("x = 1\n")
    before = digest(files)
    assert digest(reversed(files)) == before
    files[1].write_text("x = 2\n")
    assert digest(files) != before


def test_the_sources_of_a_kernel_hold_itself_and_the_kernels_it_calls():
    play = ROOT / "reasoner" / "lanes" / "play.py"
    assert {play, ROOT / "reasoner" / "lanes" / "rows.py", ROOT / "reasoner" / "kernels.py"} <= sources(play)
    for file in FILES:
        assert file in sources(file)
        assert all(sources(other) <= sources(file) for other in sources(file) if other.name != "kernels.py")
