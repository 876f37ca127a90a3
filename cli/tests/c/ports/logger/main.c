/* A log behind a mutex. Writers are made for each burst, more than there are threads at a time, and end when they have written. */
#include "cmsis_os2.h"

#define TOLD_WRITTEN 1
#define TOLD_SUM 2
#define RECORDS 32
#define WRITERS 6

static osMutexId_t mutex;
static osSemaphoreId_t idle;
static uint32_t records[RECORDS], written;

/* What is read, waited over, and written back: without the mutex, records of two writers would fall into one place. */
static void add(uint32_t record) {
    osMutexAcquire(mutex, osWaitForever);
    const uint32_t place = written;
    osDelay(1);
    records[place] = record;
    written = place + 1;
    osMutexRelease(mutex);
}

static void write(void *argument) {
    const uint32_t writer = (uint32_t)(uintptr_t)argument;
    for (uint32_t number = 0; number < 4; number++) {
        add(writer * 100 + number);
        osDelay(writer);
    }
    osSemaphoreRelease(idle);
}

static void log_bursts(void *argument) {
    (void)argument;
    for (uint32_t writer = 1; writer <= WRITERS; writer++) {
        /* A thread of the pool is free again when its function has returned: as soon as this waits. */
        osSemaphoreAcquire(idle, osWaitForever);
        const osThreadAttr_t attr = {.name = "writer", .priority = osPriorityAboveNormal};
        while (osThreadNew(write, (void *)(uintptr_t)writer, &attr) == 0) {
            osDelay(1);
        }
    }
    for (uint32_t writer = 0; writer < 2; writer++) {
        osSemaphoreAcquire(idle, osWaitForever);
    }
    uint32_t sum = 0;
    for (uint32_t place = 0; place < written; place++) {
        sum += records[place];
    }
    beryl_tell(TOLD_WRITTEN, written);
    beryl_tell(TOLD_SUM, sum);
    beryl_tell(TOLD_WRITTEN, osThreadGetCount());
}

int main(void) {
    osKernelInitialize();
    mutex = osMutexNew(0);
    idle = osSemaphoreNew(2, 2, 0);
    osThreadNew(log_bursts, 0, 0);
    return osKernelStart();
}
