"""The subjects of the site. A subject is one module with its routes; adding it to `SUBJECTS` puts it on the page."""

from __future__ import annotations

from ludens.web import home
from ludens.web.lab import pages as lab
from ludens.web.library import pages as library
from ludens.web.matches import live, play, watch
from ludens.web.replays import pages as replay_pages
from ludens.web.subject import Subject
from ludens.web.tournaments import pages as tournaments

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
