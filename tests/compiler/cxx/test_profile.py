from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.compiler.cxx.usage import Profile, QueryProfile, RelationProfile, read_profile
from ludens.core import GameError

COUNTS = st.integers(0, 10**12)
RELATIONS = st.builds(
    RelationProfile, st.integers(0, 10**6).map(float), st.lists(st.integers(0, 99).map(float)).map(tuple)
)


@given(
    st.builds(
        Profile,
        COUNTS,
        st.dictionaries(st.text(), RELATIONS, max_size=4),
        st.dictionaries(st.text(), st.builds(QueryProfile, COUNTS, COUNTS, COUNTS, COUNTS), max_size=4),
    )
)
def test_a_profile_reads_back(profile: Profile) -> None:
    path = Path("profile.json")

    class Text(type(path)):  # type: ignore[misc]
        def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
            return profile.as_json()

    assert read_profile(Text("profile.json")) == profile


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "states": 1, "relations": 3}', "\udcff"]
)
def test_what_is_no_profile_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(GameError, match="is not a profile"):
        read_profile(path)


def test_other_versions_and_missing_files_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text('{"format": 99}')
    with pytest.raises(GameError, match="another version"):
        read_profile(path)
    with pytest.raises(GameError, match="cannot read"):
        read_profile(tmp_path / "none.json")
