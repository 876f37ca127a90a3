/* Thread-Metric's programs over CMSIS-RTOS2, one after the other: a thread makes those of a program and waits for their ends. */
#include "cmsis_os2.h"
#include "metric.h"

static volatile uint32_t counts[5];
static osThreadId_t urgent[5];

static void succeeds(osStatus_t status, const char *what) {
    metric_must(status == osOK, what);
}

/* The program's threads have the five priorities from this one on; two of the interface's are one of the kernel's. */
static osPriority_t priority(uint32_t above) {
    return (osPriority_t)((uint32_t)osPriorityNormal + 2 * above);
}

static osThreadId_t made(osThreadFunc_t function, uintptr_t number, osPriority_t priority) {
    const osThreadAttr_t attr = {.attr_bits = osThreadJoinable, .priority = priority};
    osThreadId_t thread = osThreadNew(function, (void *)number, &attr);
    metric_must(thread != 0, "cmsis: a thread wasn't made");
    return thread;
}

/* Five threads of one priority take turns. */
static void cooperative(void *argument) {
    const uintptr_t me = (uintptr_t)argument;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            counts[me]++;
            osThreadYield();
        }
        if (me == 0) {
            metric_sample("metric/cmsis/cooperative", before, ticks());
        }
    }
}

static void check_turns(void) {
    for (int one = 0; one < 5; one++) {
        metric_must(counts[one] == SAMPLES * ROUNDS, "cmsis: a thread had more turns than another");
        counts[one] = 0;
    }
}

/* Five threads of rising urgency, each of which lets the next one run. To be suspended is to wait for a flag of one's own. */
static void preemptive(void *argument) {
    const uintptr_t me = (uintptr_t)argument;
    for (uint32_t round = 0; round < SAMPLES * ROUNDS; round++) {
        osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever);
        if (me < 4) {
            osThreadFlagsSet(urgent[me + 1], 1);
        }
        counts[me]++;
    }
}

static void preempted(void *argument) {
    (void)argument;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            osThreadFlagsSet(urgent[1], 1);
            counts[0]++;
        }
        metric_sample("metric/cmsis/preemptive", before, ticks());
    }
}

/* Messages of 16 bytes to oneself. */
static void message(void *argument) {
    (void)argument;
    osMessageQueueId_t queue = osMessageQueueNew(10, 16, 0);
    metric_must(queue != 0, "cmsis: a queue wasn't made");
    uint32_t sent[4] = {0x11112222, 0x33334444, 0x55556666, 0}, received[4] = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            osMessageQueuePut(queue, sent, 0, osWaitForever);
            osMessageQueueGet(queue, received, 0, osWaitForever);
            metric_must(received[3] == sent[3], "cmsis: another message came");
            sent[3]++;
        }
        metric_sample("metric/cmsis/message", before, ticks());
    }
    metric_must(sent[3] == SAMPLES * ROUNDS, "cmsis: messages were lost");
    succeeds(osMessageQueueDelete(queue), "cmsis: the queue is used");
}

/* A semaphore taken and given back. */
static void synchronisation(void *argument) {
    (void)argument;
    osSemaphoreId_t semaphore = osSemaphoreNew(1, 1, 0);
    metric_must(semaphore != 0, "cmsis: a semaphore wasn't made");
    uint32_t count = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            count += osSemaphoreAcquire(semaphore, osWaitForever) == osOK;
            count += osSemaphoreRelease(semaphore) == osOK;
        }
        metric_sample("metric/cmsis/synchronisation", before, ticks());
    }
    metric_must(count == 2 * SAMPLES * ROUNDS, "cmsis: the semaphore wasn't taken");
}

/* A block of 128 bytes taken and given back. */
static void allocation(void *argument) {
    (void)argument;
    osMemoryPoolId_t pool = osMemoryPoolNew(16, 128, 0);
    metric_must(pool != 0, "cmsis: a memory pool wasn't made");
    uint32_t count = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            void *block = osMemoryPoolAlloc(pool, 0);
            count += block != 0;
            count += osMemoryPoolFree(pool, block) == osOK;
        }
        metric_sample("metric/cmsis/allocation", before, ticks());
    }
    metric_must(count == 2 * SAMPLES * ROUNDS, "cmsis: a block wasn't given");
}

static void alone(osThreadFunc_t function) {
    succeeds(osThreadJoin(made(function, 0, osPriorityNormal)), "cmsis: a program doesn't end");
}

/* More urgent than all programs. */
static void all(void *argument) {
    (void)argument;
    osThreadId_t threads[5];
    for (uintptr_t one = 0; one < 5; one++) {
        threads[one] = made(cooperative, one, osPriorityNormal);
    }
    for (int one = 0; one < 5; one++) {
        succeeds(osThreadJoin(threads[one]), "cmsis: a turn doesn't end");
    }
    check_turns();
    for (uintptr_t one = 4; one > 0; one--) {
        urgent[one] = made(preemptive, one, priority(one - 1));
    }
    urgent[0] = made(preempted, 0, (osPriority_t)((uint32_t)osPriorityNormal - 2));
    for (int one = 0; one < 5; one++) {
        succeeds(osThreadJoin(urgent[one]), "cmsis: who is preempted doesn't end");
    }
    check_turns();
    alone(message);
    alone(synchronisation);
    alone(allocation);
}

int main(void) {
    succeeds(osKernelInitialize(), "cmsis: it doesn't begin");
    const osThreadAttr_t attr = {.priority = osPriorityNormal + 8};
    metric_must(osThreadNew(all, 0, &attr) != 0, "cmsis: a thread wasn't made");
    osKernelStart();
    return 0;
}
