"""A Matplotlib figure that shows itself in a notebook, whatever backend is set."""

import io

from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure outside pyplot's list; a notebook shows it as PNG at 2 pixels a point."""

    small_print_inches = 0.0  # the height that its small print takes

    def _repr_png_(self) -> bytes:
        from .style import style

        file = io.BytesIO()
        with style():
            self.savefig(file, format="png", dpi=144)
        return file.getvalue()
