"""Pages as HTML from their templates: one file each, in which nothing is loaded from elsewhere."""

from typing import Any

from ..version import __version__


def fill(template: str, title: str, **values: Any) -> str:
    """The page that `template`, a file of this folder, makes of the values; every text among them is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    loader = PackageLoader(__package__, "")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                              lstrip_blocks=True)
    style = Markup(loader.get_source(environment, "page.css")[0])
    return environment.get_template(template).render(title=title, style=style, version=__version__, **values)
