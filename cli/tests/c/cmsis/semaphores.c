/* Semaphores: counted up to their most, waited for in the order of urgency, given up in time. */
#include "scenes.h"

static osSemaphoreId_t items;

static void takes(void *argument) {
    const osStatus_t came = osSemaphoreAcquire(items, osWaitForever);
    TELL(21, came == osOK ? (int32_t)(uintptr_t)argument : came);
}

static void hurries(void *argument) {
    (void)argument;
    TELL(22, osSemaphoreAcquire(items, 5));
    TELL(22, osKernelGetTickCount() > 0);
}

void show_semaphores(void) {
    TELL(20, osSemaphoreNew(0, 0, 0) == 0);
    TELL(20, osSemaphoreNew(1, 2, 0) == 0);
    items = osSemaphoreNew(2, 1, &(osSemaphoreAttr_t){.name = "items"});
    TELL(20, osSemaphoreGetName(items)[0]);
    TELL(20, osSemaphoreGetCount(items));
    TELL(20, osSemaphoreRelease(items));
    TELL(20, osSemaphoreRelease(items));
    TELL(20, osSemaphoreGetCount(items));
    TELL(20, osSemaphoreAcquire(items, 0));
    TELL(20, osSemaphoreAcquire(items, osWaitForever));
    TELL(20, osSemaphoreAcquire(items, 0));
    TELL(20, osSemaphoreAcquire(items, 3));
    osThreadNew(takes, (void *)(uintptr_t)1, &(osThreadAttr_t){.priority = osPriorityAboveNormal});
    osThreadNew(takes, (void *)(uintptr_t)2, ABOVE(0));
    TELL(20, osSemaphoreDelete(items));
    TELL(20, osSemaphoreRelease(items));
    TELL(20, osSemaphoreRelease(items));
    TELL(20, osSemaphoreGetCount(items));
    /* One of two gives up: what comes then is the other's. */
    osThreadNew(hurries, 0, ABOVE(0));
    osThreadNew(takes, (void *)(uintptr_t)3, &(osThreadAttr_t){.priority = osPriorityAboveNormal});
    osDelay(8);
    TELL(20, osSemaphoreRelease(items));
    osDelay(1);
    TELL(20, osSemaphoreDelete(items));
    TELL(20, osSemaphoreRelease(items));
    TELL(20, osSemaphoreAcquire(0, 0));
    TELL(20, osSemaphoreGetCount(items));
}
