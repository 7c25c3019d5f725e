"""Shared tasks: a folder with data, rules, a starter kit, submissions, and the board of results.

``task.toml`` says everything that scores depend on. Participants check their submissions with the
same code that scores them, on the input without trees; organisers score submissions here or on
Codabench, with the same numbers.
"""

from commonground.shared_task.task_file import Task, read_task

__all__ = ["Task", "read_task"]
