"""Background work: start it, hear of its progress, stop it, get its result or the reason why there is none."""

from facewright.jobs.blas import use_one_thread
from facewright.jobs.interrupts import EXIT, interruptions
from facewright.jobs.job import Job, start
from facewright.jobs.messages import Failed, Finished, Progress, failure
from facewright.jobs.pool import NotBegun, Pool
from facewright.jobs.process import WorkerProcess
from facewright.jobs.task import Task

__all__ = [
    "EXIT",
    "Failed",
    "Finished",
    "Job",
    "NotBegun",
    "Pool",
    "Progress",
    "Task",
    "WorkerProcess",
    "failure",
    "interruptions",
    "start",
    "use_one_thread",
]
