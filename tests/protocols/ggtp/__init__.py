import pytest

pytest.register_assert_rewrite("tests.protocols.ggtp.harness")
