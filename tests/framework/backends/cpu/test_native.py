"""Object code on disk and in memory: names, digests, damage, read-only folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from sciml.framework.backends.cpu import native
from sciml.framework.compiler.executable import Plan, TopStep

PLAN = Plan((), (), (), (), 0, (TopStep("top_0"),))


def test_an_entry_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path))
    native.store_cached("key", b"code", PLAN)
    assert native.load_cached("key") == (b"code", PLAN)
    assert native.load_cached("other") is None


@pytest.mark.parametrize("keep", [0, 8, 31, 40, -1])
def test_a_cut_entry_counts_as_absent(
    keep: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path))
    native.store_cached("key", b"code", PLAN)
    path = tmp_path / "key.bin"
    path.write_bytes(path.read_bytes()[:keep])
    assert native.load_cached("key") is None


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path / "file" / "below"))
    native.store_cached("key", b"code", PLAN)
    assert native.load_cached("key") is None


def test_keys_depend_on_every_part() -> None:
    keys = {native.cache_key(p) for p in ({"a": "1"}, {"a": "2"}, {"b": "1"}, {"a": "1", "b": "1"})}
    assert len(keys) == 4


def test_kernels_of_other_sources_are_not_used() -> None:
    assert len(native.source_digest()) == 64


def test_assembly_becomes_code_that_runs() -> None:
    import ctypes

    text = "define i64 @twice(i64 %x) {\n %y = add i64 %x, %x\n ret i64 %y\n}"
    code = native.NativeCode(native.compile_object(text))
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address("twice"))(21) == 42


def test_the_first_measured_plan_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes that measure at once must add in the same order afterwards."""
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path))
    other = Plan((), (), (), (), 64, (TopStep("top_0"),), tuned=True)
    assert native.keep_plan("key", other) == other
    assert native.keep_plan("key", PLAN.with_tiles([])) == other
    assert [p.name for p in tmp_path.iterdir()] == ["key-plan.bin"]


def test_without_a_cache_a_measured_plan_is_kept_by_its_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", "")
    assert native.keep_plan("key", PLAN.with_tiles([])).tuned
