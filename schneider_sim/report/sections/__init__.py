"""The parts of the page that every game has, a file each."""
