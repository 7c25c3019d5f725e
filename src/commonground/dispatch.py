"""What later rooms do with the things of earlier ones: they draw, show, test and plot them.

A treebank or a result holds data; the rooms that draw or test it come after the one that it lives
in, and no import goes backwards. So whoever wants such an act names it, and it is looked up when it
is asked for, in this order:

1. what was registered for the class of the thing, or for a class that it builds on;
2. a module named after the `kind` of the class, in the home of the act (``report/views`` is the
   home of ``grids``, so ``report/views/agreement.py`` has the tables of an agreement), that has a
   function with the name of the act;
3. the function with the name of the act in its home itself.

The homes stand in the package (``commonground.ACTS``), which names what all rooms have.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar

from commonground.errors import UsageError

__all__ = ["can", "perform", "register"]

Act = TypeVar("Act", bound=Callable[..., Any])

_REGISTERED: dict[tuple[str, type], Callable[..., Any]] = {}


def register(act: str, thing: type) -> Callable[[Act], Act]:
    """Make a function the one that does an act to all things of a class.

    >>> class Shout(str): ...
    >>> @register("grids", Shout)
    ... def loud(text: str) -> str:
    ...     return text.upper()
    >>> perform("grids", Shout("hello"))
    'HELLO'
    """

    def registered(function: Act) -> Act:
        _REGISTERED[act, thing] = function
        return function

    return registered


def perform(act: str, thing: Any, *arguments: Any, **options: Any) -> Any:
    """Do an act to a thing, by whoever can do it."""
    return _function(act, type(thing))(thing, *arguments, **options)


def can(act: str, thing: Any) -> bool:
    """Tell whether anybody can do an act to a thing.

    >>> can("grids", 7)
    False
    """
    try:
        _function(act, type(thing))
    except UsageError:
        return False
    return True


def _function(act: str, thing: type) -> Callable[..., Any]:
    for base in thing.__mro__:
        if (act, base) in _REGISTERED:
            return _REGISTERED[act, base]
    home = _home(act)
    modules = [*(_module_of(home, base) for base in thing.__mro__), home] if home else []
    room = next((module for module in modules if callable(getattr(module, act, None))), None)
    if room is None:
        raise UsageError(f"{thing.__name__} has no {act}")
    function: Callable[..., Any] = getattr(room, act)
    return function


def _home(act: str) -> ModuleType | None:
    """Return the home of an act; some are only registered."""
    from commonground import ACTS  # noqa: PLC0415  # the package is there before its rooms

    return import_module(f"commonground.{ACTS[act]}") if act in ACTS else None


def _module_of(home: ModuleType, thing: type) -> ModuleType | None:
    """Return the module that a home has for the kind of a class, if any."""
    kind = vars(thing).get("kind")
    if not isinstance(kind, str) or not hasattr(home, "__path__"):
        return None
    name = f"{home.__name__}.{kind.replace('-', '_')}"
    return import_module(name) if kind and find_spec(name) else None
