"""`python -m schneider_sim` is the command `schneider-sim`."""

from .cli import main

main()
