"""Decisions by search: worlds as a player may imagine them, and every legal card tried on them."""
