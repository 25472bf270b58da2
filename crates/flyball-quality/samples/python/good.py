"""A module that no linter has anything to say about."""


def greet(name: str) -> str:
    """Greet somebody by name."""
    return f"Hello, {name}!"
