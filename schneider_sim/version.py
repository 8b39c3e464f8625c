"""The version of the package, and those of what it was run with."""

__version__ = "0.1.0"


def made_with() -> dict[str, str]:
    """The versions of Python and of the libraries that numbers and figures come from."""
    import platform
    from importlib.metadata import version

    names = ("numpy", "numba", "scipy", "pandas", "matplotlib", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
