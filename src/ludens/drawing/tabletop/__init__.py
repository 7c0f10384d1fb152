"""From the equipment of tabletop games to panels."""
