"""How Numba compiles the package's functions: parts once, and nothing is optimised before all of a whole is there.

Numba makes every function ready to run, also those that only other compiled functions call: it optimises each with all
that it calls, again in each of its callers, and generates machine code every time. Here a part keeps its plain code,
and the function that Python calls is linked, optimised and generated once, as a whole.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, WithLifting


class _PartLibrary(JITCodeLibrary):
    """The code of a function that only compiled functions call: never optimised, never generated."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.environments: dict[str, Any] = {}

    @property
    def codegen(self) -> "_PartLibrary":
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Keep what the generated code will refer to by a name; Numba asks its code generator to write it there."""
        self.environments[name] = environment

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # as for a function without a wrapper for Python

    def alone(self) -> Any:
        """The module of this function without those that it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """For functions that are not the package's own: the module with all that it needs."""
        module = self.alone().clone()
        for library in _needed(self):
            module.link_in(_alone(library), preserve=True)
        return module


class _WholeLibrary(JITCodeLibrary):
    """The code of a function that Python calls, with that of all its parts."""

    def finalize(self) -> None:
        needed = _needed(self)
        for library in needed:
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_alone(library), preserve=True)
        self._linking_libraries: list[Any] = []
        super().finalize()
        for library in needed:
            for name, environment in getattr(library, "environments", {}).items():
                if self._codegen._engine.is_symbol_defined(name):
                    self._codegen.set_env(name, environment)


def _needed(library: Any) -> list[Any]:
    """Every library that one needs, directly or not, once."""
    found: dict[Any, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found[each] = None
            waiting += each._linking_libraries if isinstance(each, _PartLibrary) else []
    return list(found)


def _alone(library: Any) -> Any:
    return library.alone() if isinstance(library, _PartLibrary) else library._get_module_for_linking()


def _lowering(kind: type[JITCodeLibrary], name: str) -> type[LoweringPass]:
    @register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(NativeLowering):
        """Numba's lowering, into a library of the package's own kind."""

        _name = name

        def run_pass(self, state: Any) -> bool:
            state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))

    return Lowering


# passes for what the package's functions do without: closures, `with`, overloads inlined, expressions of arrays
_IDLE = {WithLifting, InlineClosureLikes, InlineOverloads, NopythonRewrites}


class _Compiler(CompilerBase):
    lowering: type[LoweringPass]

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        kept = [(self.lowering, text) if step is NativeLowering else (step, text) for step, text in passes.passes]
        passes.passes[:] = [each for each in kept if each[0] not in _IDLE]
        passes.finalize()
        return [passes]


class PartCompiler(_Compiler):
    """For functions that only compiled functions call."""

    lowering = _lowering(_PartLibrary, "lower_part")


class WholeCompiler(_Compiler):
    """For functions that Python calls."""

    lowering = _lowering(_WholeLibrary, "lower_whole")
