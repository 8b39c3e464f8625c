"""Bauernschnapsen: four players, 20 cards, an auction of contracts."""
