"""The version of the package, and those of what it was run with."""

__version__ = "0.2.0"


def commit_of_checkout() -> str:
    """The commit of the Git checkout that the package runs from, marked if files differ; empty elsewhere."""
    import subprocess
    from pathlib import Path

    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return ""
    line = ["git", "-C", str(root), "describe", "--always", "--abbrev=10", "--match=", "--dirty=, changed"]
    try:
        return subprocess.run(line, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def made_with() -> dict[str, str]:
    """The versions of Python and of the libraries that numbers and figures come from."""
    import platform
    from importlib.metadata import version

    names = ("numpy", "numba", "scipy", "pandas", "matplotlib", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
