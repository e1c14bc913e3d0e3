"""Closing what almost touches, by a small change."""

import numpy as np

import facewright as fw
from facewright.build.closing import ContactClosing
from facewright.build.deformation_transfer import DeformationTransfer


def test_contacts_close_along_their_opening_alone_and_nothing_far_from_them_moves() -> None:
    head, person = fw.sample(), fw.sample("amara")
    lid = next(shape for shape in head.shapes if shape.name == "eyeBlinkLeft")
    transfer = DeformationTransfer(fw.Rig(head.neutral, head.polygons, (lid,)), person.neutral)
    held, moved = transfer.contacts[0], transfer.priors[0].moved
    almost = [0.9 * transfer.plain[0]]
    assert 0.88 < transfer.closing(0, almost) < 0.92
    closed = transfer.closed(almost)
    assert abs(transfer.closing(0, closed) - 1) < 0.01
    change, far = closed[0] - almost[0], np.zeros(transfer.template.vertex_count)
    far[moved] = np.linalg.norm(change, axis=1)
    lids = np.flatnonzero(abs(held.difference).sum(axis=0) > 0)
    rest = transfer.target.placed
    apart = np.linalg.norm(rest[:, None] - rest[lids][None], axis=2).min(axis=1)
    assert far[apart > 0.1 * transfer.template.size].max() < 0.02 * far.max()
    # aside of the opening a contact stays where it is
    needed = held.gaps - held.difference @ rest
    along = needed / np.linalg.norm(needed, axis=1, keepdims=True)
    went = held.difference[:, moved] @ change
    aside = went - (went * along).sum(axis=1, keepdims=True) * along
    assert np.linalg.norm(aside) < 0.05 * np.linalg.norm(went)


def test_contacts_that_are_closed_stay_as_they_are() -> None:
    head = fw.sample()
    lid = next(shape for shape in head.shapes if shape.name == "eyeBlinkLeft")
    transfer = DeformationTransfer(fw.Rig(head.neutral, head.polygons, (lid,)), head.neutral)
    closing = ContactClosing(transfer.system, transfer.contacts[0], transfer.priors[0].moved, head.size)
    gaps = transfer.contacts[0].gaps + 1.0
    assert np.abs(closing(gaps, gaps)).max() < 1e-12
