"""The commands of a Supervisor, by subject."""

from __future__ import annotations

from ludens.protocols.ggtp.handlers import branching, general, hosting, playing, preparing, timing
from ludens.protocols.ggtp.handlers.kinds import Handler

COMMANDS: dict[str, Handler] = {
    **general.COMMANDS,
    **preparing.COMMANDS,
    **playing.COMMANDS,
    **timing.COMMANDS,
    **branching.COMMANDS,
    **hosting.COMMANDS,
}
"""The handler of each command, except ``load_file``, which the Supervisor handles."""
