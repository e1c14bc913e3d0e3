"""Background work: start it, hear of its progress, stop it, get its result or the reason why there is none."""

from facewright.jobs.cluster import Cluster
from facewright.jobs.farm import Farm, Shared, connect, over
from facewright.jobs.interrupts import EXIT, interruptions, stopping_with
from facewright.jobs.job import Job, start
from facewright.jobs.messages import Failed, Finished, Progress, failure
from facewright.jobs.pool import NotBegun, Pool
from facewright.jobs.process import WorkerProcess
from facewright.jobs.task import Task
from facewright.solve.blas import use_one_thread

__all__ = [
    "EXIT",
    "Cluster",
    "Failed",
    "Farm",
    "Finished",
    "Job",
    "NotBegun",
    "Pool",
    "Progress",
    "Shared",
    "Task",
    "WorkerProcess",
    "connect",
    "failure",
    "interruptions",
    "over",
    "start",
    "stopping_with",
    "use_one_thread",
]
