/* CMSIS-RTOS2 as far as it lies over Beryl. What isn't declared here isn't there. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define osWaitForever UINT32_C(0xFFFFFFFF)
#define osFlagsWaitAny UINT32_C(0)
#define osFlagsWaitAll UINT32_C(1)
#define osFlagsNoClear UINT32_C(2)
#define osFlagsError UINT32_C(0x80000000)
#define osFlagsErrorUnknown UINT32_C(0xFFFFFFFF)
#define osFlagsErrorTimeout UINT32_C(0xFFFFFFFE)
#define osFlagsErrorResource UINT32_C(0xFFFFFFFD)
#define osFlagsErrorParameter UINT32_C(0xFFFFFFFC)
#define osFlagsErrorISR UINT32_C(0xFFFFFFFA)
#define osThreadDetached UINT32_C(0)
#define osThreadJoinable UINT32_C(1)
#define osMutexRecursive UINT32_C(1)
#define osMutexPrioInherit UINT32_C(2)
#define osMutexRobust UINT32_C(8)

typedef enum {
    osOK = 0, osError = -1, osErrorTimeout = -2, osErrorResource = -3, osErrorParameter = -4, osErrorNoMemory = -5, osErrorISR = -6
} osStatus_t;
typedef enum { osKernelInactive = 0, osKernelReady = 1, osKernelRunning = 2, osKernelLocked = 3, osKernelSuspended = 4, osKernelError = -1 } osKernelState_t;
typedef enum {
    osThreadInactive = 0, osThreadReady = 1, osThreadRunning = 2, osThreadBlocked = 3, osThreadTerminated = 4, osThreadError = -1
} osThreadState_t;
/* Between the named ones there are seven more each: `osPriorityLow + 1`. The most urgent is osPriorityISR. */
typedef enum {
    osPriorityNone = 0, osPriorityIdle = 1, osPriorityLow = 8, osPriorityBelowNormal = 16, osPriorityNormal = 24,
    osPriorityAboveNormal = 32, osPriorityHigh = 40, osPriorityRealtime = 48, osPriorityISR = 56, osPriorityError = -1
} osPriority_t;
typedef struct { uint32_t api, kernel; } osVersion_t;

typedef struct cmsis_thread *osThreadId_t;
typedef struct cmsis_mutex *osMutexId_t;
typedef struct cmsis_semaphore *osSemaphoreId_t;
typedef struct cmsis_event_flags *osEventFlagsId_t;
typedef struct cmsis_queue *osMessageQueueId_t;
typedef struct cmsis_memory_pool *osMemoryPoolId_t;
typedef struct cmsis_timer *osTimerId_t;
typedef enum { osTimerOnce = 0, osTimerPeriodic = 1 } osTimerType_t;
typedef void (*osTimerFunc_t)(void *argument);
typedef void (*osThreadFunc_t)(void *argument);

/* Control blocks and stacks are the description's: what is told here of memory for them is not looked at. */
typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *stack_mem;
    uint32_t stack_size;
    osPriority_t priority;
    uint32_t tz_module, reserved;
} osThreadAttr_t;
typedef struct { const char *name; uint32_t attr_bits; void *cb_mem; uint32_t cb_size; } osMutexAttr_t;
typedef struct { const char *name; uint32_t attr_bits; void *cb_mem; uint32_t cb_size; } osSemaphoreAttr_t;
typedef struct { const char *name; uint32_t attr_bits; void *cb_mem; uint32_t cb_size; } osEventFlagsAttr_t;
typedef struct { const char *name; uint32_t attr_bits; void *cb_mem; uint32_t cb_size; } osTimerAttr_t;
/* Messages and blocks may lie in memory of the caller's, which is whole words: as much as the macros below say. */
typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mq_mem;
    uint32_t mq_size;
} osMessageQueueAttr_t;
typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mp_mem;
    uint32_t mp_size;
} osMemoryPoolAttr_t;

/* What a message or a block takes, and what so many of them take. */
#define CMSIS_SLOT(size) (8 + ((uint32_t)(size) + 3) / 4 * 4)
#define CMSIS_BLOCK(size) (((uint32_t)(size) + 7) / 8 * 8)
#define CMSIS_QUEUE_BYTES(count, size) ((count) * CMSIS_SLOT(size))
#define CMSIS_MEMORY_BYTES(count, size) ((count) * CMSIS_BLOCK(size))

/* Where the application begins: it calls osKernelInitialize, makes what it wants, and calls osKernelStart. In a simulation the machine's
   own programs have a `main`, too. */
#define main cmsis_main
int cmsis_main(void);

osStatus_t osKernelInitialize(void);
osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size);
osKernelState_t osKernelGetState(void);
osStatus_t osKernelStart(void);
int32_t osKernelLock(void);
int32_t osKernelUnlock(void);
int32_t osKernelRestoreLock(int32_t lock);
uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
uint32_t osKernelGetSysTimerCount(void);
uint32_t osKernelGetSysTimerFreq(void);

osThreadId_t osThreadNew(osThreadFunc_t function, void *argument, const osThreadAttr_t *attr);
const char *osThreadGetName(osThreadId_t thread);
osThreadId_t osThreadGetId(void);
osThreadState_t osThreadGetState(osThreadId_t thread);
uint32_t osThreadGetStackSize(osThreadId_t thread);
osStatus_t osThreadSetPriority(osThreadId_t thread, osPriority_t priority);
osPriority_t osThreadGetPriority(osThreadId_t thread);
osStatus_t osThreadYield(void);
osStatus_t osThreadSuspend(osThreadId_t thread);
osStatus_t osThreadResume(osThreadId_t thread);
osStatus_t osThreadDetach(osThreadId_t thread);
osStatus_t osThreadJoin(osThreadId_t thread);
_Noreturn void osThreadExit(void);
osStatus_t osThreadTerminate(osThreadId_t thread);
uint32_t osThreadGetCount(void);
uint32_t osThreadEnumerate(osThreadId_t *threads, uint32_t items);

uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags);
uint32_t osThreadFlagsClear(uint32_t flags);
uint32_t osThreadFlagsGet(void);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr);
const char *osEventFlagsGetName(osEventFlagsId_t events);
uint32_t osEventFlagsSet(osEventFlagsId_t events, uint32_t flags);
uint32_t osEventFlagsClear(osEventFlagsId_t events, uint32_t flags);
uint32_t osEventFlagsGet(osEventFlagsId_t events);
uint32_t osEventFlagsWait(osEventFlagsId_t events, uint32_t flags, uint32_t options, uint32_t timeout);
osStatus_t osEventFlagsDelete(osEventFlagsId_t events);

osStatus_t osDelay(uint32_t ticks);
osStatus_t osDelayUntil(uint32_t ticks);

osMutexId_t osMutexNew(const osMutexAttr_t *attr);
const char *osMutexGetName(osMutexId_t mutex);
osStatus_t osMutexAcquire(osMutexId_t mutex, uint32_t timeout);
osStatus_t osMutexRelease(osMutexId_t mutex);
osThreadId_t osMutexGetOwner(osMutexId_t mutex);
osStatus_t osMutexDelete(osMutexId_t mutex);

osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attr);
const char *osSemaphoreGetName(osSemaphoreId_t semaphore);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore, uint32_t timeout);
osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore);
uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore);
osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore);

osMessageQueueId_t osMessageQueueNew(uint32_t count, uint32_t size, const osMessageQueueAttr_t *attr);
const char *osMessageQueueGetName(osMessageQueueId_t queue);
osStatus_t osMessageQueuePut(osMessageQueueId_t queue, const void *message, uint8_t priority, uint32_t timeout);
osStatus_t osMessageQueueGet(osMessageQueueId_t queue, void *message, uint8_t *priority, uint32_t timeout);
uint32_t osMessageQueueGetCapacity(osMessageQueueId_t queue);
uint32_t osMessageQueueGetMsgSize(osMessageQueueId_t queue);
uint32_t osMessageQueueGetCount(osMessageQueueId_t queue);
uint32_t osMessageQueueGetSpace(osMessageQueueId_t queue);
osStatus_t osMessageQueueReset(osMessageQueueId_t queue);
osStatus_t osMessageQueueDelete(osMessageQueueId_t queue);

osMemoryPoolId_t osMemoryPoolNew(uint32_t count, uint32_t size, const osMemoryPoolAttr_t *attr);
const char *osMemoryPoolGetName(osMemoryPoolId_t pool);
void *osMemoryPoolAlloc(osMemoryPoolId_t pool, uint32_t timeout);
osStatus_t osMemoryPoolFree(osMemoryPoolId_t pool, void *block);
uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t pool);
uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t pool);
uint32_t osMemoryPoolGetCount(osMemoryPoolId_t pool);
uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t pool);
osStatus_t osMemoryPoolDelete(osMemoryPoolId_t pool);

osTimerId_t osTimerNew(osTimerFunc_t function, osTimerType_t type, void *argument, const osTimerAttr_t *attr);
const char *osTimerGetName(osTimerId_t timer);
osStatus_t osTimerStart(osTimerId_t timer, uint32_t ticks);
osStatus_t osTimerStop(osTimerId_t timer);
uint32_t osTimerIsRunning(osTimerId_t timer);
osStatus_t osTimerDelete(osTimerId_t timer);
