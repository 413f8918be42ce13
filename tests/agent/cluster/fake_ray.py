"""A stand-in for the module `ray` whose nodes and actors a test kills by hand."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace


class RayError(Exception):
    pass


class RayTaskError(RayError):
    pass


class RayActorError(RayError):
    pass


class ActorDiedError(RayActorError):
    pass


class Reference:
    """The result of a call: `done` once the test says so; an error if the actor is dead."""

    def __init__(self, actor, result):
        self.actor, self.result, self.done = actor, result, False

    def get(self):
        if self.actor.dead:
            raise RayActorError("the actor is dead")
        return self.result

    def __await__(self):
        """Wait as long as the actor's node has no room for it."""
        while not (self.actor.placed or self.actor.dead):
            yield from asyncio.sleep(0).__await__()
        return self.get()


class Method:
    def __init__(self, actor, name):
        self._actor, self._name = actor, name

    def remote(self, *given):
        self._actor.calls.append((self._name, *given))
        return Reference(self._actor, self._actor.ray.answers.get(self._name))


class Actor:
    def __init__(self, ray, given):
        self.ray, self.given, self.calls = ray, given, []
        self.dead, self.placed = False, ray.room

    def __getattr__(self, name):
        return Method(self, name)


class ActorClass:
    def __init__(self, ray):
        self._ray = ray

    def options(self, **_):
        return self

    def remote(self, *given):
        self._ray.actors.append(Actor(self._ray, given))
        return self._ray.actors[-1]


class FakeRay:
    """`processors` by node; `answers` of actors by the names of their methods; without `room` no actor begins."""

    exceptions = SimpleNamespace(
        RayError=RayError, RayTaskError=RayTaskError, RayActorError=RayActorError, ActorDiedError=ActorDiedError
    )

    def __init__(self, processors, **answers):
        self.processors, self.answers, self.actors, self.room = processors, answers, [], True

    def nodes(self):
        return [{"NodeID": name, "Alive": True, "Resources": {"CPU": count}} for name, count in self.processors.items()]

    def get_runtime_context(self):
        return SimpleNamespace(get_node_id=lambda: "here")

    def remote(self, _actor):
        return ActorClass(self)

    def put(self, value):
        return value

    def get(self, ref):
        return ref.get()

    def wait(self, refs, **_):
        """Return the first result that is there; without one, do not wait."""
        done = [ref for ref in refs if ref.done or ref.actor.dead or ref.result is None]
        return done[:1], []

    def kill(self, actor):
        actor.dead = True
