"""The subjects of the site. A subject is one module with its routes; adding it to `SUBJECTS` puts it on the page."""

from __future__ import annotations

from ludens.web import home, library, live, play, replay_pages, tournaments, watch
from ludens.web.lab import pages as lab
from ludens.web.subject import Subject

SUBJECTS: tuple[Subject, ...] = (
    home.SUBJECT,
    library.SUBJECT,
    play.SUBJECT,
    watch.SUBJECT,
    lab.SUBJECT,
    tournaments.SUBJECT,
    replay_pages.SUBJECT,
    live.SUBJECT,
)
"""All subjects, in the order of the navigation."""
