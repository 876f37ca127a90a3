/* The part of CMSIS-RTOS2 that lies over Beryl: kernel info, threads from a pool, delays, mutexes, semaphores. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define osWaitForever UINT32_C(0xFFFFFFFF)
#define osMutexRecursive UINT32_C(1)
#define osMutexPrioInherit UINT32_C(2)

typedef enum {
    osOK = 0, osError = -1, osErrorTimeout = -2, osErrorResource = -3, osErrorParameter = -4, osErrorNoMemory = -5, osErrorISR = -6
} osStatus_t;
typedef enum { osKernelInactive = 0, osKernelReady = 1, osKernelRunning = 2, osKernelError = -1 } osKernelState_t;
typedef enum {
    osPriorityNone = 0, osPriorityIdle = 1, osPriorityLow = 8, osPriorityBelowNormal = 16, osPriorityNormal = 24,
    osPriorityAboveNormal = 32, osPriorityHigh = 40, osPriorityRealtime = 48, osPriorityError = -1
} osPriority_t;
typedef struct cmsis_thread *osThreadId_t;
typedef struct cmsis_mutex *osMutexId_t;
typedef struct cmsis_semaphore *osSemaphoreId_t;
typedef void (*osThreadFunc_t)(void *);
typedef struct { const char *name; osPriority_t priority; } osThreadAttr_t;
typedef struct { const char *name; uint32_t attr_bits; } osMutexAttr_t;
typedef struct { const char *name; } osSemaphoreAttr_t;

osStatus_t osKernelInitialize(void);
osStatus_t osKernelStart(void);
osKernelState_t osKernelGetState(void);
uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
osThreadId_t osThreadNew(osThreadFunc_t function, void *argument, const osThreadAttr_t *attr);
osThreadId_t osThreadGetId(void);
const char *osThreadGetName(osThreadId_t thread);
_Noreturn void osThreadExit(void);
osStatus_t osThreadYield(void);
osStatus_t osThreadSuspend(osThreadId_t thread);
osStatus_t osThreadResume(osThreadId_t thread);
osStatus_t osThreadTerminate(osThreadId_t thread);
osPriority_t osThreadGetPriority(osThreadId_t thread);
osStatus_t osThreadSetPriority(osThreadId_t thread, osPriority_t priority);
uint32_t osThreadGetCount(void);
osStatus_t osDelay(uint32_t ticks);
osStatus_t osDelayUntil(uint32_t ticks);
osMutexId_t osMutexNew(const osMutexAttr_t *attr);
osStatus_t osMutexAcquire(osMutexId_t mutex, uint32_t timeout);
osStatus_t osMutexRelease(osMutexId_t mutex);
osThreadId_t osMutexGetOwner(osMutexId_t mutex);
osStatus_t osMutexDelete(osMutexId_t mutex);
osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attr);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore, uint32_t timeout);
osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore);
uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore);
osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore);
