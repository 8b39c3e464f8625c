"""Both games a second time, slow and obvious, without a line of the package: what the tests compare it with."""
