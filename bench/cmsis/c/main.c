/* Calls of CMSIS-RTOS2, of which none waits but where a thread is made. */
#include "cmsis_os2.h"
#include "measured.h"

static void nothing(void *argument) {
    (void)argument;
}

static void measure(void *argument) {
    (void)argument;
    static const osThreadAttr_t above = {.priority = osPriorityHigh};
    uint32_t letter[2] = {1, 2};
    const osMutexId_t mutex = osMutexNew(0);
    const osSemaphoreId_t units = osSemaphoreNew(4, 0, 0);
    const osEventFlagsId_t events = osEventFlagsNew(0);
    const osMessageQueueId_t queue = osMessageQueueNew(4, sizeof letter, 0);
    const osMemoryPoolId_t pool = osMemoryPoolNew(4, 8, 0);
    const osThreadId_t own = osThreadGetId();
    MEASURE("cmsis/lock/cmsis", WELL(osKernelLock()); metric_must(osKernelUnlock() == 1, "osKernelUnlock"));
    MEASURE("cmsis/mutex/cmsis", WELL(osMutexAcquire(mutex, osWaitForever)); WELL(osMutexRelease(mutex)));
    MEASURE("cmsis/semaphore/cmsis", WELL(osSemaphoreRelease(units)); WELL(osSemaphoreAcquire(units, osWaitForever)));
    MEASURE("cmsis/flags/cmsis", metric_must(osEventFlagsSet(events, 1) == 1, "osEventFlagsSet");
            metric_must(osEventFlagsWait(events, 1, osFlagsWaitAny, osWaitForever) == 1, "osEventFlagsWait"));
    MEASURE("cmsis/thread-flags/cmsis", metric_must(osThreadFlagsSet(own, 1) == 1, "osThreadFlagsSet");
            metric_must(osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever) == 1, "osThreadFlagsWait"));
    MEASURE("cmsis/queue/cmsis", WELL(osMessageQueuePut(queue, letter, 0, osWaitForever));
            WELL(osMessageQueueGet(queue, letter, 0, osWaitForever)));
    MEASURE("cmsis/memory/cmsis", void *block = osMemoryPoolAlloc(pool, 0); WELL(osMemoryPoolFree(pool, block)));
    MEASURE("cmsis/thread/cmsis", metric_must(osThreadNew(nothing, 0, &above) != 0, "osThreadNew"));
    MEASURE("cmsis/time/cmsis", (void)osKernelGetTickCount());
    beryl_print("end\n", 4);
}

int main(void) {
    osKernelInitialize();
    osThreadNew(measure, 0, 0);
    return osKernelStart();
}
