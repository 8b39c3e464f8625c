"""The two ways to fail that a user can do something about; each message is one line."""


class RequestError(ValueError):
    """The request was wrong: the message says what was wrong and what would be right (exit status 2)."""


class RunError(RuntimeError):
    """The run failed although the request was right, for example in a plug-in (exit status 1)."""
