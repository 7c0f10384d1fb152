from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludens.compiler.batch.transpose import block_rows, flag_rows, lane_flags, padded, to_dense, to_lanes, to_rows
from ludens.core.block import LANES


@given(lanes=st.integers(1, 3 * LANES), bits=st.integers(1, 70), seed=st.integers(0, 2**32))
def test_rows_and_lanes_hold_the_same_bits(lanes: int, bits: int, seed: int) -> None:
    drawn = np.random.default_rng(seed).random((lanes, bits)) < 0.5
    packed = np.packbits(drawn, axis=1, bitorder="little")
    rows = block_rows(-(-lanes // LANES), padded(bits))

    to_rows(packed, rows)

    assert np.array_equal(to_lanes(rows, lanes), packed)
    assert np.array_equal(to_dense(rows, lanes, bits), drawn)
    for bit in range(bits):
        assert np.array_equal(lane_flags(rows[:, bit], lanes), drawn[:, bit])


@given(lanes=st.integers(1, 3 * LANES), seed=st.integers(0, 2**32))
def test_flags_survive_the_way_to_a_row_and_back(lanes: int, seed: int) -> None:
    flags = np.random.default_rng(seed).random(lanes) < 0.5

    rows = flag_rows(flags, -(-lanes // LANES))

    assert np.array_equal(lane_flags(rows, lanes), flags)
    assert int(np.bitwise_count(rows).sum()) == int(flags.sum())


def test_a_part_of_each_block_can_be_turned() -> None:
    rows = block_rows(2, 24)
    rows[:, 8] = np.uint64(2**64 - 1)
    rows[:, 17] = np.uint64(2**64 - 1)

    assert to_lanes(rows[:, 8:16], 600).tolist() == [[1]] * 600
    assert to_lanes(rows[:, 16:], 600).tolist() == [[2]] * 600
