/* The scheduler locked: who is more urgent waits until it is unlocked, and nobody waits inside. */
#include "scenes.h"

static void runs(void *argument) {
    (void)argument;
    TELL(70, 71);
}

static void leaves(void *argument) {
    (void)argument;
    TELL(70, osKernelLock());
}

void show_locked(void) {
    const osMutexId_t mutex = osMutexNew(0);
    const osSemaphoreId_t semaphore = osSemaphoreNew(1, 1, 0);
    TELL(70, osKernelLock());
    TELL(70, osKernelGetState());
    TELL(70, osKernelLock());
    TELL(70, osThreadNew(runs, 0, ABOVE("runs")) != 0);
    TELL(70, osThreadGetCount());
    TELL(70, osDelay(1));
    TELL(70, osThreadFlagsWait(1, osFlagsWaitAny, 1));
    TELL(70, osMutexAcquire(mutex, osWaitForever));
    TELL(70, osMutexRelease(mutex));
    TELL(70, osSemaphoreAcquire(semaphore, 1));
    TELL(70, osSemaphoreAcquire(semaphore, 1));
    TELL(70, osKernelUnlock());
    TELL(70, osKernelGetState());
    TELL(70, osKernelUnlock());
    TELL(70, osKernelRestoreLock(1));
    TELL(70, osKernelRestoreLock(2));
    TELL(70, osKernelRestoreLock(0));
    /* One that ends lets the others go on. */
    TELL(70, osThreadNew(leaves, 0, ABOVE("leaves")) != 0);
    TELL(70, osKernelGetState());
    TELL(70, osSemaphoreDelete(semaphore));
    TELL(70, osMutexDelete(mutex));
}
