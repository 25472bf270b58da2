"""Sets up one run, and collects the results when the client has ended.

The order is that of a user: a project under git, hooks registered, then the client started.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType

from kit import person, tools
from kit.loopback import Loopback
from kit.outcome import Outcome
from kit.registration import Registration
from kit.scratch import Scratch, scratch
from kit.script import Script
from kit.turns import Turn, fill


@dataclass(frozen=True)
class Play:
    """What a test defines for a run, for any client."""
    registration: Registration
    main: Sequence[Turn]
    subagents: Mapping[str, Sequence[Turn]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)  # scripts on the search path
    linters: Sequence[str] = ()                                # real ones on the search path
    project: Path | None = None

    def script(self, world: Scratch) -> Script:
        return Script(fill(list(self.main), world.names),
                      {mark: fill(list(turns), world.names)
                       for mark, turns in self.subagents.items()})


@dataclass(frozen=True)
class Stage:
    world: Scratch
    program: Path     # the client
    url: str          # of the scripted model
    outcome: Outcome  # filled by the code that runs the client


@contextmanager
def staged(play: Play, client: str, api: ModuleType, hooks_file: str) -> Iterator[Stage]:
    program = tools.client(client)
    with scratch(play.project) as world:
        script = play.script(world)
        script.person = partial(person.act, world)
        with Loopback(api.Api, script) as model:
            world.put(fill(dict(play.files), world.names))
            world.install(play.programs)
            for name in play.linters:
                world.on_search_path(name, tools.linter(name))
            world.on_search_path(client.removesuffix("-old"), program)
            world.commit("start")
            play.registration.register(world, world.project / hooks_file)
            world.commit("register")
            outcome = Outcome(api.shown, world.names, before=world.files())
            yield Stage(world, program, model.url, outcome)
        outcome.asked = script.asked
        outcome.files = world.files()
        outcome.hooks = play.registration.collect(world)
