"""Writing a document for other programs: what is asked for, the document that is written, and its file."""

from facewright.workflow.export.files import MEDIA, Exported, Saved, export, lost_words, save_baked
from facewright.workflow.export.options import ExportOptions

__all__ = ["MEDIA", "ExportOptions", "Exported", "Saved", "export", "lost_words", "save_baked"]
