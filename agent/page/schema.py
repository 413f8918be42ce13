"""Types of JSON messages: reading a request by its type, and JSON schemas of OpenAPI 3.1.

A message is a `TypedDict` of texts, numbers, booleans, lists and other messages. `Annotated` adds the limits below.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from agent.page.errors import PageError

REFS = "#/components/schemas/"
JSON = "application/json"
EVENTS = "text/event-stream"
PATTERN = re.compile(r"\{(\w+):(?:[^{}]|\{[^{}]*\})*\}")
"""A variable of a route with its regular expression."""


@dataclass(frozen=True, slots=True)
class Range:
    """Limits of a number, both inclusive; error texts use `name`, if set, instead of the key."""

    least: float
    most: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class MaxItems:
    """The maximum length of a list."""

    count: int


@dataclass(frozen=True, slots=True)
class NotBlank:
    """A text with more than white space."""


@dataclass(frozen=True, slots=True)
class Events:
    """Server-sent events, one for each key of the type, with its JSON as data."""

    kind: type


Text = Annotated[str, NotBlank()]


class Endpoint(NamedTuple):
    """An address with its handler, whose annotations are the types of the request and of the answer.

    The request is the handler's parameter `asked`, or `_asked` if only its type is needed.
    """

    method: str
    path: str
    handler: Callable[..., Any]
    takes: str = JSON  # content type of the request's body

    @property
    def asks(self) -> Any:  # noqa: ANN401 a type
        """The type of the request's JSON; None if the request has no JSON."""
        hints = get_type_hints(self.handler, include_extras=True)
        return hints.get("asked", hints.get("_asked"))

    @property
    def gives(self) -> Any:  # noqa: ANN401 a type
        """The type of the answer; for a response of aiohttp, the type in its annotation."""
        kind = get_type_hints(self.handler, include_extras=True)["return"]
        return kind.__metadata__[0] if get_origin(kind) is Annotated else kind


def read(kind: Any, value: object, name: str = "the request") -> Any:  # noqa: ANN401 a type, and its value
    """Return `value` if it has the type `kind`. Raises PageError, which says what `name` must be.

    Unknown keys of an object are dropped.
    """
    kind, limits = _split(kind)
    if is_typeddict(kind):
        if not isinstance(value, dict):
            raise PageError(f"{name} must be a JSON object")
        hints = get_type_hints(kind, include_extras=True)
        missing = next((key for key in hints if key in kind.__required_keys__ and key not in value), None)
        if missing is not None:
            read(hints[missing], _MISSING, f"`{missing}`")
        return {key: read(hint, value[key], f"`{key}`") for key, hint in hints.items() if key in value}
    if get_origin(kind) in (Union, types.UnionType):
        (some,) = (one for one in get_args(kind) if one is not type(None))
        return None if value is None else read(some, value, name)
    if get_origin(kind) is list:
        if not isinstance(value, list) or any(len(value) > limit.count for limit in limits):
            raise PageError(f"{name} must be {_said(kind, limits)}")
        return [read(get_args(kind)[0], item, f"an item of {name}") for item in value]
    fits = isinstance(value, (int, float) if kind is float else kind) and isinstance(value, bool) == (kind is bool)
    if not fits or not all(_within(value, limit) for limit in limits):
        named = next((limit.name for limit in limits if isinstance(limit, Range) and limit.name), name)
        raise PageError(f"{named} must be {_said(kind, limits)}")
    return float(value) if kind is float and isinstance(value, int) else value


_MISSING = object()
_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    types.NoneType: {"type": "null"},
    Any: {},
}


def _split(kind: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401 a type
    """Return a type without `Annotated` and `NotRequired`, and its limits."""
    if get_origin(kind) in (Required, NotRequired):
        kind = get_args(kind)[0]
    return (kind.__origin__, kind.__metadata__) if get_origin(kind) is Annotated else (kind, ())


def _within(value: Any, limit: Any) -> bool:  # noqa: ANN401 the type depends on the limit
    return limit.least <= value <= limit.most if isinstance(limit, Range) else bool(value.strip())


def _said(kind: Any, limits: Sequence[Any]) -> str:  # noqa: ANN401 a type
    if get_origin(kind) is list:
        return f"a list with at most {limits[0].count:,} items" if limits else "a list"
    said = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}[kind]
    return said + "".join(f" from {one.least:,g} to {one.most:,g}" for one in limits if isinstance(one, Range))


def schema_of(kind: Any, known: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 a type
    """Return the JSON schema of a type; the messages in it are added to `known` by name."""
    kind, limits = _split(kind)
    if is_typeddict(kind):
        if kind.__name__ not in known:
            known[kind.__name__] = {}  # a message may contain itself
            hints = get_type_hints(kind, include_extras=True)
            known[kind.__name__] = {
                "type": "object",
                "description": (kind.__doc__ or "").strip(),
                "properties": {key: schema_of(hint, known) for key, hint in hints.items()},
                "required": sorted(kind.__required_keys__),
            }
        return {"$ref": REFS + kind.__name__}
    made, arguments = get_origin(kind) or kind, get_args(kind)
    if made in (types.UnionType, Union):
        return {"anyOf": [schema_of(one, known) for one in arguments]}
    if made is tuple:
        return {"type": "array", "prefixItems": [schema_of(one, known) for one in arguments], "items": False}
    if made in (list, Sequence):
        return {"type": "array", "items": schema_of(arguments[0], known), **_limits(limits)}
    if made is Mapping:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], known)}
    return {**_SIMPLE[made], **_limits(limits)}


def _limits(limits: Sequence[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for limit in limits:
        match limit:
            case Range(least, most):
                made |= {"minimum": least, "maximum": most}
            case MaxItems(count):
                made |= {"maxItems": count}
            case NotBlank():
                made |= {"pattern": r"\S"}
    return made


def openapi(endpoints: Sequence[Endpoint], refusal: type, version: str) -> dict[str, Any]:
    """Return the OpenAPI description of the endpoints; `refusal` is the type of every error response."""
    known: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    refused = {"description": "Refused", "content": {JSON: {"schema": schema_of(refusal, known)}}}
    for endpoint in endpoints:
        path = PATTERN.sub(r"{\1}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = {
            "summary": (endpoint.handler.__doc__ or "").strip().splitlines()[0],
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in re.findall(r"\{(\w+)\}", path)
            ],
            **_body(endpoint, known),
            "responses": {
                "200": {"description": "Answer", "content": _content(endpoint.gives, known)},
                "default": refused,
            },
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "ggp-agent", "version": version},
        "servers": [{"url": ".."}],  # the page's root, relative to this description
        "paths": paths,
        "components": {"schemas": known, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    }


def _body(endpoint: Endpoint, known: dict[str, Any]) -> dict[str, Any]:
    if endpoint.asks is None and endpoint.takes == JSON:
        return {}
    schema = schema_of(str if endpoint.asks is None else endpoint.asks, known)
    return {"requestBody": {"required": True, "content": {endpoint.takes: {"schema": schema}}}}


def _content(gives: Any, known: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 a type
    if not isinstance(gives, Events):
        return {JSON: {"schema": schema_of(gives, known)}}
    events = {name: schema_of(hint, known) for name, hint in get_type_hints(gives.kind, include_extras=True).items()}
    return {EVENTS: {"schema": {"type": "string"}, "x-events": events}}
