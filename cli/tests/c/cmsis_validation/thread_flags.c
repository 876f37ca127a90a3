/* Thread flags: each of the 31, to and fro between threads, and masks that aren't any. */
#include "scenes.h"

/* How many of the 31 are set one after another, and cleared from the last to the first, with the right answers. */
static void each_flag(void *number) {
    const osThreadId_t own = osThreadGetId();
    uint32_t set = 0, cleared = 0;
    osThreadFlagsClear(ALL_FLAGS);
    for (uint32_t bit = 0; bit < 31; bit++) {
        set += osThreadFlagsSet(own, UINT32_C(1) << bit) == (UINT32_C(2) << bit) - 1;
    }
    TELL(AS_NUMBER(number), osThreadFlagsSet(own, osFlagsError));
    for (uint32_t bit = 31; bit-- > 0;) {
        cleared += osThreadFlagsClear(UINT32_C(1) << bit) == (UINT32_C(2) << bit) - 1;
    }
    TELL(AS_NUMBER(number), set);
    TELL(AS_NUMBER(number), cleared);
    TELL(AS_NUMBER(number), osThreadFlagsGet());
}

/* Sends back each flag that comes. */
static void echoes(void *parent) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 31; bit++) {
        count += osThreadFlagsWait(UINT32_C(1) << bit, osFlagsWaitAny, 100) == UINT32_C(1) << bit;
        osThreadFlagsSet(parent, UINT32_C(1) << bit);
    }
    TELL(131, count);
    osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever);
}

static void show_child_to_parent(void) {
    const osThreadId_t child = osThreadNew(echoes, osThreadGetId(), AT(osPriorityBelowNormal));
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 31; bit++) {
        osThreadFlagsSet(child, UINT32_C(1) << bit);
        count += osThreadFlagsWait(UINT32_C(1) << bit, osFlagsWaitAny, 100) == UINT32_C(1) << bit;
    }
    TELL(131, count);
    osDelay(1);
    TELL(131, osThreadTerminate(child));
    tell_to_end(child);
}

static osThreadId_t pair[2], shows;

/* 1, 2, 5, 10, 21 and so on: every other flag, up to the last. */
static void plays(void *argument) {
    const uint32_t own = AS_NUMBER(argument);
    uint32_t count = 0;
    for (uint32_t mask = 1; mask <= ALL_FLAGS; mask = mask << 1 | ((mask & 1) == 0)) {
        if (own == 0) {
            osThreadFlagsSet(pair[1], mask);
        }
        count += (osThreadFlagsWait(mask, osFlagsWaitAny, 100) & osFlagsError) == 0;
        if (own == 1) {
            osThreadFlagsSet(pair[0], mask);
        }
    }
    TELL(132, count);
    osThreadFlagsSet(shows, UINT32_C(1) << own);
}

static void show_child_to_child(void) {
    shows = osThreadGetId();
    for (uint32_t index = 0; index < 2; index++) {
        pair[index] = osThreadNew(plays, AS_ARGUMENT(index), AT(osPriorityBelowNormal));
    }
    TELL(132, osThreadFlagsWait(3, osFlagsWaitAll, 100));
    osDelay(1);
}

static void sets(void *flags) {
    osThreadFlagsSet(shows, AS_NUMBER(flags));
}

/* Each timeout, and what is left by the one wait is there at the next. */
static void show_timeouts(void) {
    osThreadFlagsClear(ALL_FLAGS);
    TELL(133, osThreadFlagsWait(ALL_FLAGS, osFlagsWaitAny, 0));
    TELL(133, osThreadFlagsWait(ALL_FLAGS, osFlagsWaitAny, 5));
    TELL(133, osThreadFlagsWait(ALL_FLAGS, osFlagsWaitAll, 0));
    TELL(133, osThreadFlagsWait(ALL_FLAGS, osFlagsWaitAll, 5));
    osThreadNew(sets, AS_ARGUMENT(3), AT(osPriorityNormal));
    osDelay(5);
    TELL(133, osThreadFlagsWait(1, osFlagsWaitAny, 10));
    osThreadNew(sets, AS_ARGUMENT(5), AT(osPriorityNormal));
    osDelay(5);
    TELL(133, osThreadFlagsWait(2, osFlagsWaitAny, 10));
    osThreadFlagsClear(ALL_FLAGS);
}

void show_thread_flags(void) {
    each_flag(AS_ARGUMENT(129));
    osThreadNew(each_flag, AS_ARGUMENT(130), 0);
    osDelay(2);
    show_child_to_parent();
    show_child_to_child();
    show_timeouts();
    TELL(134, osThreadFlagsSet(0, 0));
    TELL(134, osThreadFlagsSet(osThreadGetId(), osFlagsError));
    TELL(134, osThreadFlagsWait(osFlagsError, osFlagsWaitAny, 0));
    TELL(134, osThreadFlagsClear(osFlagsError));
}
