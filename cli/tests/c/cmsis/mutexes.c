/* Mutexes: owned, entered again, waited for, inherited, given up at a thread's end. */
#include "scenes.h"

static osMutexId_t mutex, robust;

static void wants(void *argument) {
    (void)argument;
    TELL(11, osMutexAcquire(mutex, 0));
    TELL(11, osMutexRelease(mutex));
    TELL(11, osMutexAcquire(mutex, 5));
    TELL(11, osMutexAcquire(mutex, osWaitForever));
    TELL(11, osMutexGetOwner(mutex) == osThreadGetId());
    TELL(11, osMutexRelease(mutex));
}

static void keeps(void *argument) {
    osMutexAcquire(argument, osWaitForever);
    osMutexAcquire(argument, osWaitForever);
}

/* Would run before the owner, if that one didn't inherit. */
static void between(void *argument) {
    (void)argument;
    TELL(12, 2);
}

static void low(void *argument) {
    (void)argument;
    osMutexAcquire(mutex, osWaitForever);
    TELL(12, 1);
    osThreadNew(wants, 0, ABOVE("wants"));
    osThreadNew(between, 0, &(osThreadAttr_t){.priority = osPriorityAboveNormal});
    TELL(12, 3);
    osDelay(20);
    osThreadNew(between, 0, &(osThreadAttr_t){.priority = osPriorityNormal});
    TELL(12, 4);
    osMutexRelease(mutex);
    TELL(12, 5);
}

void show_mutexes(void) {
    mutex = osMutexNew(&(osMutexAttr_t){.name = "mutex", .attr_bits = osMutexRecursive | osMutexPrioInherit});
    robust = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexRobust | osMutexRecursive});
    TELL(10, osMutexNew(0) == 0);
    TELL(10, osMutexGetName(mutex)[0] == 'm' && osMutexGetName(robust) == 0);
    TELL(10, osMutexAcquire(mutex, osWaitForever));
    TELL(10, osMutexAcquire(mutex, osWaitForever));
    TELL(10, osMutexGetOwner(mutex) == osThreadGetId());
    TELL(10, osMutexDelete(mutex));
    TELL(10, osMutexRelease(mutex));
    TELL(10, osMutexRelease(mutex));
    TELL(10, osMutexRelease(mutex));
    TELL(10, osMutexGetOwner(mutex) == 0);
    /* The owner is less urgent than all that comes: it is let run at its waiter's priority. */
    osThreadNew(low, 0, BELOW("low"));
    osDelay(50);
    /* Whoever ends gives up what is robust. */
    osThreadNew(keeps, robust, ABOVE("keeps"));
    TELL(10, osMutexGetOwner(robust) == 0);
    TELL(10, osMutexAcquire(robust, 0));
    TELL(10, osMutexRelease(robust));
    TELL(10, osMutexDelete(robust));
    TELL(10, osMutexDelete(robust));
    TELL(10, osMutexAcquire(robust, 0));
    TELL(10, osMutexRelease(0));
    /* One that isn't recursive. */
    robust = osMutexNew(0);
    TELL(10, osMutexAcquire(robust, 0));
    TELL(10, osMutexAcquire(robust, 0));
    TELL(10, osMutexRelease(robust));
    TELL(10, osMutexDelete(robust));
    TELL(10, osMutexDelete(mutex));
}
