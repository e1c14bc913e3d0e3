"""Live faces: packets of phones and programs to frames, frames onto a rig or into a clip, and a clip to packets."""

from facewright.live.driver import LiveCalibration, LiveDriver, LivePose, live_range, live_rest
from facewright.live.frame import BadPacket, LiveFrame, Reading
from facewright.live.listen import Listener, listen
from facewright.live.receiver import KINDS, LiveKind, Receiver
from facewright.live.recording import LiveRecording
from facewright.live.send import packets, send_clip
from facewright.live.smoothing import OneEuro
from facewright.live.source import SourceStatus

__all__ = [
    "KINDS",
    "BadPacket",
    "Listener",
    "LiveCalibration",
    "LiveDriver",
    "LiveFrame",
    "LiveKind",
    "LivePose",
    "LiveRecording",
    "OneEuro",
    "Reading",
    "Receiver",
    "SourceStatus",
    "listen",
    "live_range",
    "live_rest",
    "packets",
    "send_clip",
]
