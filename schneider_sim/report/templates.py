"""Pages as HTML from their templates: one file each, in which nothing is loaded from elsewhere."""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..version import __version__

if TYPE_CHECKING:
    from markupsafe import Markup


def fill(template: str, title: str, **values: Any) -> str:
    """The page that `template`, a file of this folder, makes of the values; every text among them is escaped."""
    from markupsafe import Markup

    environment = _environment()
    style = Markup(environment.loader.get_source(environment, "page.css")[0])
    return environment.get_template(template).render(title=title, style=style, version=__version__, **values)


def part(template: str, macro: str, values: Mapping[str, Any]) -> "Markup":
    """What a macro of a template makes of the values: HTML for a place in another page."""
    from markupsafe import Markup

    return Markup(getattr(_environment().get_template(template).module, macro)(**values))


@functools.cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(loader=PackageLoader(__package__, ""), autoescape=True, undefined=StrictUndefined,
                       trim_blocks=True, lstrip_blocks=True)
