"""The normal law and the root finder that need no SciPy, held against SciPy and published numbers."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, special

from schneider_sim.stats import normal
from schneider_sim.stats.roots import root


def test_quantiles_and_tails_are_scipys():
    """Quantiles of Wichura's article (AS 241, table of check values), and every tail that a command may ask for."""
    assert normal.quantile(0.25) == pytest.approx(-0.6744897501960817, rel=1e-15)
    assert normal.quantile(0.001) == pytest.approx(-3.090232306167814, rel=1e-15)
    assert normal.quantile(1e-20) == pytest.approx(-9.262340089798408, rel=1e-15)
    for p in [*np.geomspace(1e-300, 0.5, 400), *(1 - np.geomspace(1e-15, 0.4, 100))]:
        assert normal.quantile(p) == pytest.approx(special.ndtri(p), rel=1e-12, abs=1e-15)
    assert (normal.quantile(0.0), normal.quantile(1.0)) == (-math.inf, math.inf)
    points = np.concatenate([-np.geomspace(1e-3, 1e9, 500), [0.0], np.geomspace(1e-3, 37.0, 200)])
    assert normal.log_below(points) == pytest.approx(special.log_ndtr(points), rel=1e-12, abs=1e-300)
    assert normal.log_below(np.array([[-np.inf, np.inf]])).tolist() == [[-np.inf, 0.0]]
    for x in points[np.abs(points) < 37]:
        assert normal.below(x) == pytest.approx(special.ndtr(x), rel=1e-12)


@pytest.mark.parametrize("function, low, high", [
    (lambda x: x**3 - 2, 0.0, 5.0),
    (lambda x: math.exp(-x) - 1e-9, 0.0, 700.0),
    (lambda x: math.atan(1e6 * (x - 0.3)), -10.0, 1.0),
    (lambda x: 1 / (x - 1) + 3, -50.0, 0.999999),
    (lambda x: x, -1.0, 1.0),
    (lambda x: math.tan(x) - 1e5, 0.0, math.pi / 2 - 1e-9),
])
@pytest.mark.parametrize("xtol", [2e-12, 1e-300, 1e-3])
def test_the_root_finder_is_scipys_in_every_bit(function, low, high, xtol):
    expected, details = optimize.brentq(function, low, high, xtol=xtol, rtol=8.9e-16, maxiter=200, full_output=True)
    calls = itertools.count()
    assert root(lambda x: function(x) + 0 * next(calls), low, high, xtol=xtol) == expected
    assert next(calls) == details.function_calls


def test_a_bracket_without_a_root_is_an_error():
    with pytest.raises(ValueError, match="one sign"):
        root(lambda x: x * x + 1, -1.0, 2.0)
