"""The commands of a Supervisor, by subject."""

from __future__ import annotations

from ludens.protocols.ggtp.handlers import general, playing, preparing
from ludens.protocols.ggtp.handlers.kinds import Handler

COMMANDS: dict[str, Handler] = {**general.COMMANDS, **preparing.COMMANDS, **playing.COMMANDS}
"""What does each command; ``load_file`` is the Supervisor's own."""
