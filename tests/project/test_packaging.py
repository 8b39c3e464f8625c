"""What is locked and what is packaged: every dependency with hashes, every file of the package, one version."""

import re
import shutil
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from schneider_sim.version import __version__

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> dict[str, tuple[Requirement, int]]:
    """name → (requirement with version and marker, number of hashes) of a lock file."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    found: dict[str, tuple[Requirement, int]] = {}
    for line in lines:
        requirement, *hashes = line.split("--hash=sha256:")
        assert all(re.fullmatch(r"[0-9a-f]{64}", sha.strip()) for sha in hashes)
        parsed = Requirement(requirement.strip())
        found[canonicalize_name(parsed.name)] = (parsed, len(hashes))
    assert len(found) == len(lines)
    return found


def wanted_by(lock: str) -> list[Requirement]:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [PROJECT["project"]["dependencies"], PROJECT["build-system"]["requires"], extras.get(lock, [])]
    found = [Requirement(text) for texts in wanted for text in texts]
    # the project's own extras, by name
    return [part for each in found for part in (
        [Requirement(text) for extra in each.extras for text in extras[extra]]
        if each.name == PROJECT["project"]["name"] else [each])]


@pytest.mark.parametrize("lock", ["run", "test", "dask"])
def test_lock_covers_the_dependencies(lock: str) -> None:
    locked = pins(lock)
    for requirement in wanted_by(lock):
        pinned, _ = locked[canonicalize_name(requirement.name)]
        (version,) = pinned.specifier
        assert requirement.specifier.contains(version.version), f"{pinned} against {requirement}"
    for pinned, hashes in locked.values():
        assert [each.operator for each in pinned.specifier] == ["=="]
        assert not pinned.url
        assert hashes > 0, f"{pinned} has no hash"


@pytest.mark.parametrize("lock", ["test", "dask"])
def test_locks_agree(lock: str) -> None:
    both = pins(lock)
    for name, (pinned, _) in pins("run").items():
        assert str(both[name][0]) == str(pinned)


def test_lock_is_closed_under_dependency() -> None:
    locked = pins("test")
    for name, (pinned, _) in locked.items():
        if pinned.marker and not pinned.marker.evaluate():
            continue
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for requirement in map(Requirement, needed):
            if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
                assert canonicalize_name(requirement.name) in locked, f"{name} needs {requirement}"


def test_the_program_itself_stays_light() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"dask", "docs", "notebook", "test", "tune"} == set(extras)
    named = {Requirement(text).name for name in extras if name != "test" for text in extras[name]}
    assert named and not set(map(canonicalize_name, named)) & set(pins("run"))


def test_version_stands_everywhere_alike() -> None:
    version = PROJECT["project"]["version"]
    assert __version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    wheel = pytest.importorskip("flit_core.wheel", reason="the build backend is installed by scripts/test only")
    built = wheel.make_wheel_in(ROOT / "pyproject.toml", tmp_path).file
    unpacked = tmp_path / "unpacked"
    shutil.unpack_archive(built, unpacked, "zip")
    package = ROOT / "schneider_sim"
    sources = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sources
    for source in sources:
        assert (unpacked / source.relative_to(ROOT)).read_bytes() == source.read_bytes()
