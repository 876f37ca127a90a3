"""Random task sets and what the simulator SimSo (0.8.5, from PyPI) says of them: writes simso.txt.

    python3 -m venv v && v/bin/pip install simso==0.8.5 && v/bin/python record.py > simso.txt

A line: the policy, the tasks as period,deadline,work in the order of periods, and each task's longest response over two hyperperiods
when all are released together at 0; a task that misses a deadline is `late`.
"""

import math
import random

from simso.configuration import Configuration
from simso.core import Model

PERIODS = [4, 5, 6, 8, 10, 12, 15, 20]


def task_set(source):
    while True:
        tasks = []
        for period in sorted(source.sample(PERIODS, source.randint(2, 5))):
            work = source.randint(1, max(1, period // 3))
            deadline = period if source.random() < 0.5 else source.randint(max(work, period // 2), period)
            tasks.append((period, deadline, work))
        if sum(work / period for period, _, work in tasks) <= 1:
            return tasks


def simulated(policy, tasks):
    configuration = Configuration()
    configuration.cycles_per_ms = 1
    configuration.duration = 2 * math.lcm(*(period for period, _, _ in tasks)) + 1
    for index, (period, deadline, work) in enumerate(tasks):
        configuration.add_task(
            name=f"t{index}", identifier=index, period=period, activation_date=0, wcet=work, deadline=deadline
        )
    configuration.add_processor(name="p", identifier=0)
    configuration.scheduler_info.clas = {"edf": "simso.schedulers.EDF_mono", "rate": "simso.schedulers.RM_mono"}[policy]
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    answers = []
    for index in range(len(tasks)):
        jobs = [task for task in model.results.tasks.values() if task.name == f"t{index}"][0].jobs
        late = any(job.exceeded_deadline or job.aborted for job in jobs)
        responses = [job.response_time for job in jobs if job.response_time is not None]
        answers.append("late" if late else str(int(max(responses))))
    return answers


def main():
    source = random.Random(2026)
    for number in range(600):
        policy = ["edf", "rate"][number % 2]
        tasks = task_set(source)
        written = " ".join(",".join(str(time) for time in task) for task in tasks)
        print(f"{policy}; {written}; {' '.join(simulated(policy, tasks))}")


main()
