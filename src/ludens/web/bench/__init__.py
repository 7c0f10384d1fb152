"""Processes with limits that work for visitors, so that nothing they send can keep the server from the others."""
