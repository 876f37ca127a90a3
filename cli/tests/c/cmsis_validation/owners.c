/* Owners of mutexes: only they release them, they inherit, and what is robust outlives them. */
#include "scenes.h"

static osMutexId_t mutex;

static void holds(void *argument) {
    osMutexAcquire(mutex, osWaitForever);
    TELL(AS_NUMBER(argument), 100);
    osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever);
}

/* The first owner ends with it, and the one that waits has it. */
static void show_robust(void) {
    mutex = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexRobust});
    const osThreadId_t first = osThreadNew(holds, AS_ARGUMENT(147), AT(osPriorityAboveNormal));
    TELL(147, osMutexGetOwner(mutex) == first);
    const osThreadId_t second = osThreadNew(holds, AS_ARGUMENT(147), AT(osPriorityAboveNormal));
    TELL(147, osThreadTerminate(first));
    tell_to_end(first);
    TELL(147, osMutexGetOwner(mutex) == second);
    TELL(147, osMutexDelete(mutex));
    tell_to_end(second);
    TELL(147, osMutexDelete(mutex));
}

static void show_inherited(void) {
    const osThreadId_t own = osThreadGetId();
    mutex = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexPrioInherit | osMutexRobust});
    TELL(148, osMutexAcquire(mutex, 0));
    TELL(148, osThreadGetPriority(own));
    const osThreadId_t other = osThreadNew(holds, AS_ARGUMENT(148), AT(osPriorityAboveNormal));
    TELL(148, osThreadGetPriority(own));
    TELL(148, osThreadGetPriority(other));
    TELL(148, osMutexRelease(mutex));
    TELL(148, osThreadGetPriority(own));
    TELL(148, osThreadTerminate(other));
    tell_to_end(other);
    TELL(148, osMutexDelete(mutex));
}

static osThreadId_t control;

/* Each job says that it was its turn, and that it is done. */
static void low_job(void *argument) {
    (void)argument;
    osMutexAcquire(mutex, 0);
    osThreadFlagsSet(control, 1);
    TELL(149, 'L');
    osThreadFlagsSet(control, 2);
    TELL(149, osMutexRelease(mutex));
}

static void medium_job(void *argument) {
    (void)argument;
    TELL(149, 'M');
    osThreadFlagsSet(control, 4);
}

static void high_job(void *argument) {
    (void)argument;
    osThreadFlagsSet(control, 1);
    TELL(149, osMutexAcquire(mutex, 200));
    TELL(149, 'H');
    osThreadFlagsSet(control, 8);
    osMutexRelease(mutex);
}

static void show_inversion(void) {
    control = osThreadGetId();
    osThreadFlagsClear(ALL_FLAGS);
    mutex = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexPrioInherit});
    osThreadNew(low_job, 0, AT(osPriorityBelowNormal));
    TELL(149, osThreadFlagsWait(1, osFlagsWaitAny, 100));
    osThreadSetPriority(control, osPriorityAboveNormal);
    osThreadNew(high_job, 0, AT(osPriorityAboveNormal));
    osThreadFlagsWait(1, osFlagsWaitAny, 100);
    osThreadNew(medium_job, 0, AT(osPriorityNormal));
    osThreadSetPriority(control, osPriorityLow);
    TELL(149, osThreadFlagsWait(14, osFlagsWaitAny, 100));
    TELL(149, osMutexDelete(mutex));
    osThreadSetPriority(control, osPriorityNormal);
}

static void owns(void *argument) {
    (void)argument;
    TELL(150, 10 + osMutexAcquire(mutex, 0));
    osThreadFlagsWait(1, osFlagsWaitAny, 100);
    TELL(150, 10 + osMutexRelease(mutex));
}

static void releases(void *argument) {
    (void)argument;
    TELL(150, osMutexRelease(mutex));
}

static void show_ownership(void) {
    mutex = osMutexNew(0);
    const osThreadId_t owner = osThreadNew(owns, 0, AT(osPriorityLow));
    osDelay(10);
    osThreadNew(releases, 0, AT(osPriorityHigh));
    TELL(150, osMutexGetOwner(mutex) == owner);
    TELL(150, osThreadTerminate(owner));
    osThreadFlagsSet(owner, 1);
    osDelay(10);
    TELL(150, osMutexGetOwner(mutex) == 0);
    TELL(150, osMutexDelete(mutex));
}

void show_owners(void) {
    show_robust();
    show_inherited();
    show_inversion();
    show_ownership();
}
