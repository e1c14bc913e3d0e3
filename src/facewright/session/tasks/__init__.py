"""Background work, one file a feature: what is under way, and the actions that start and stop it."""

from __future__ import annotations

from facewright.session.discover import classes_in
from facewright.session.tasks.action import Action

ACTIONS: tuple[type[Action], ...] = classes_in(__name__, __path__, Action)
