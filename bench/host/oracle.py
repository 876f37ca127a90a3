"""Runs the systems that it is told about in the simulator SimSo (0.8.5, from PyPI), and says how long that took.

A line in is a system: {"policy": "edf" or "rate", "until": ticks, "tasks": [[period, work], ...]}, all released together at 0. A line
out: {"ns": the shortest time of a run alone, of three, "jobs": how many were done, "responses": the longest of each task}.
"""

import json
import sys
import time

from simso.configuration import Configuration
from simso.core import Model

SCHEDULERS = {"edf": "simso.schedulers.EDF_mono", "rate": "simso.schedulers.RM_mono"}


REPEATS = 3


def model(system):
    configuration = Configuration()
    configuration.cycles_per_ms = 1
    configuration.duration = system["until"]
    for index, (period, work) in enumerate(system["tasks"]):
        configuration.add_task(
            name=f"t{index}", identifier=index, period=period, activation_date=0, wcet=work, deadline=period
        )
    configuration.add_processor(name="p", identifier=0)
    configuration.scheduler_info.clas = SCHEDULERS[system["policy"]]
    configuration.check_all()
    return Model(configuration)


def timed(system):
    run = model(system)
    begun = time.perf_counter_ns()
    run.run_model()
    return time.perf_counter_ns() - begun, run


def simulated(system):
    took, run = min((timed(system) for _ in range(REPEATS)), key=lambda timed: timed[0])
    tasks = sorted(run.results.tasks.values(), key=lambda task: int(task.name[1:]))
    responses = [[job.response_time for job in task.jobs if job.response_time is not None] for task in tasks]
    return {
        "ns": took,
        "jobs": sum(map(len, responses)),
        "responses": [int(max(times, default=0)) for times in responses],
    }


for line in sys.stdin:
    print(json.dumps(simulated(json.loads(line))), flush=True)
