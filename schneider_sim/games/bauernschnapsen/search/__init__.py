"""Decisions by search: layouts of hidden cards, the solver for open cards, and sampling."""
