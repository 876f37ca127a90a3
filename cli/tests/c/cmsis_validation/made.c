/* Threads made in all ways: with attributes, at each priority, many at a time. Nobody ends another here: all end by themselves. */
#include "scenes.h"

static uint64_t memory[16];

static void made(osThreadFunc_t function, const osThreadAttr_t *attr) {
    const osThreadId_t thread = osThreadNew(function, 0, attr);
    TELL(85, thread != 0);
    TELL(85, osThreadTerminate(thread));
}

static void show_attributes(void) {
    TELL(85, osThreadNew(0, 0, 0) == 0);
    made(ends, 0);
    made(ends, AT(osPriorityNormal));
    made(ends, &(osThreadAttr_t){.cb_mem = memory, .cb_size = 64, .stack_mem = memory, .stack_size = sizeof memory});
    made(ends, &(osThreadAttr_t){.stack_size = 512});
    const osThreadId_t joinable = osThreadNew(ends, 0, JOINABLE_AT(osPriorityNormal));
    TELL(85, joinable != 0);
    TELL(85, osThreadDetach(joinable));
    TELL(85, osThreadTerminate(joinable));
    osDelay(1);
}

static void show_each_priority(void) {
    uint32_t count = 0;
    for (int priority = osPriorityLow; priority < osPriorityISR; priority++) {
        count += osThreadNew(ends, 0, AT((osPriority_t)priority)) != 0;
        osDelay(1);
    }
    TELL(86, count);
}

static void tells(void *argument) {
    TELL(87, AS_NUMBER(argument));
}

static void says_who(void *argument) {
    *(osThreadId_t *)argument = osThreadGetId();
}

/* A thread can't write to another's stack. */
static osThreadId_t said[7];
static uint8_t begun[5];

static void show_who_is_who(void) {
    osThreadId_t made[7];
    uint32_t same = 0;
    for (int index = 0; index < 7; index++) {
        made[index] = osThreadNew(says_who, &said[index], AT(osPriorityBelowNormal));
    }
    osDelay(14);
    for (int index = 0; index < 7; index++) {
        same += made[index] != 0 && made[index] == said[index];
    }
    TELL(88, same);
}

/* A thread that has begun once counts one. */
static void counts(void *argument) {
    ++*(uint8_t *)argument;
    osDelay(10);
    osThreadTerminate(osThreadGetId());
}

static void show_instances(void) {
    osDelay(1);
    for (int index = 0; index < 5; index++) {
        osThreadNew(counts, &begun[index], AT(osPriorityNormal));
    }
    osDelay(100);
    for (int index = 0; index < 5; index++) {
        TELL(89, begun[index]);
    }
}

static uint32_t added;

static void adds(void *argument) {
    added += argument == 0 ? 1 : 2;
    osThreadTerminate(osThreadGetId());
}

/* Made inside the lock, so none runs before the last is there. */
static void show_all_named_priorities(void) {
    for (uint32_t argument = 0; argument < 2; argument++) {
        TELL(90, osKernelLock());
        for (int priority = osPriorityLow; priority <= osPriorityRealtime; priority += 8) {
            TELL(90, osThreadNew(adds, AS_ARGUMENT(argument), AT((osPriority_t)priority)) != 0);
        }
        TELL(90, added);
        osKernelUnlock();
        osDelay(100);
        TELL(90, added);
    }
    TELL(90, osThreadNew(adds, 0, AT(osPriorityError)) == 0);
}

/* All of the pool but the one that shows. */
static void show_until_empty(void) {
    uint32_t count = 0;
    while (osThreadNew(ends, 0, AT(osPriorityLow)) != 0) {
        count++;
    }
    TELL(91, count);
    TELL(91, osThreadNew(ends, 0, AT(osPriorityLow)) == 0);
    osDelay(10);
    TELL(91, osThreadGetCount());
}

void show_made(void) {
    show_attributes();
    show_each_priority();
    osThreadNew(tells, AS_ARGUMENT(77), 0);
    osDelay(2);
    show_who_is_who();
    show_instances();
    show_all_named_priorities();
    show_until_empty();
}
