"""What pages are told, one file a feature. Importing this folder declares every view, frame, resource and query."""

from __future__ import annotations

from facewright.session.discover import classes_in
from facewright.session.views.view import PUSHED as PUSHED
from facewright.session.views.view import PUSHED_ITEMS as PUSHED_ITEMS
from facewright.session.views.view import RESOURCES as RESOURCES
from facewright.session.views.view import VIEWS as VIEWS
from facewright.session.views.view import Query

QUERIES: tuple[type[Query], ...] = classes_in(__name__, __path__, Query)
