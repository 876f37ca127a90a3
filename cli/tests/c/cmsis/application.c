/* The calls in an order that shows what each answers. */
#include "cmsis_pools.h"

#define TELL(what, value) beryl_tell(what, (uint32_t)(value))

static osMutexId_t mutex;
static osSemaphoreId_t items;

static void second(void *argument) {
    TELL(2, (uintptr_t)argument == 7);
    TELL(2, osSemaphoreAcquire(items, osWaitForever));
    TELL(2, osMutexAcquire(mutex, 0));
    TELL(2, osMutexAcquire(mutex, 20));
    TELL(2, osMutexRelease(mutex));
    TELL(2, osMutexAcquire(mutex, osWaitForever));
    TELL(2, osMutexRelease(mutex));
    osThreadExit();
}

static void first(void *argument) {
    (void)argument;
    TELL(1, osKernelGetState());
    TELL(1, osKernelInitialize());
    TELL(1, osThreadNew(second, 0, 0) == 0);
    TELL(1, osKernelInitialize());
    items = osSemaphoreNew(2, 0, 0);
    mutex = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexRecursive});
    TELL(1, osMutexNew(0) == 0);
    TELL(1, osSemaphoreNew(1, 2, 0) == 0);
    const osThreadAttr_t high = {"second", osPriorityHigh}, realtime = {"none", osPriorityRealtime};
    TELL(3, osThreadNew(second, 0, &realtime) == 0);
    osThreadId_t made = osThreadNew(second, (void *)(uintptr_t)7, &high);
    TELL(3, osThreadGetPriority(made));
    TELL(3, osThreadGetCount());
    TELL(3, osThreadGetId() != made && osThreadGetId() != 0);
    TELL(3, osThreadSuspend(made));
    TELL(3, osThreadTerminate(made));
    TELL(3, osThreadSetPriority(made, osPriorityRealtime));
    TELL(4, osMutexAcquire(mutex, osWaitForever));
    TELL(4, osMutexAcquire(mutex, osWaitForever));
    TELL(4, osSemaphoreRelease(items));
    TELL(4, osMutexGetOwner(mutex) == osThreadGetId());
    osDelay(50);
    TELL(4, osMutexRelease(mutex));
    TELL(4, osMutexRelease(mutex));
    TELL(4, osMutexRelease(mutex));
    osDelay(1);
    TELL(5, osThreadGetCount());
    TELL(5, osThreadGetPriority(made));
    TELL(5, osThreadNew(second, 0, &high) == made);
    TELL(6, osSemaphoreAcquire(items, 0));
    TELL(6, osDelay(0));
    const uint32_t now = osKernelGetTickCount();
    TELL(6, osDelayUntil(now + 10));
    TELL(6, osKernelGetTickCount() - now);
    TELL(6, osDelayUntil(now));
    osKernelStart();
}

struct cmsis_thread pool_0_row = {.thread = &pool_0_object, .gate = &gate_0_object, .function = first, .is_first = true};
struct cmsis_thread pool_1_row = {.thread = &pool_1_object, .gate = &gate_1_object};
struct cmsis_thread pool_2_row = {.thread = &pool_2_object, .gate = &gate_2_object};
struct cmsis_thread *const cmsis_threads[] = {&pool_0_row, &pool_1_row, &pool_2_row};
const uint32_t cmsis_thread_count = 3;
const beryl_lock *const cmsis_guard = &guard_object;
struct cmsis_mutex cmsis_mutexes[] = {{.semaphore = &mutex_0_object}};
const uint32_t cmsis_mutex_count = 1;
struct cmsis_semaphore cmsis_semaphores[] = {{.gate = &place_0_object}, {.gate = &place_1_object}};
const uint32_t cmsis_semaphore_count = 2;
