"""What is to be played, as a value."""
