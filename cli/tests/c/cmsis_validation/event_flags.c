/* Event flags: made and deleted, each of the 31, waited for by masks, to and fro between threads. */
#include "scenes.h"

static osEventFlagsId_t events, there, back;
static uint64_t memory[16];

static void show_new(void) {
    const osEventFlagsAttr_t attributes[3] = {{0}, {.name = "events"}, {.cb_mem = memory, .cb_size = sizeof memory}};
    for (int index = 0; index < 3; index++) {
        events = osEventFlagsNew(index == 0 ? 0 : &attributes[index]);
        TELL(135, events != 0);
        TELL(135, osEventFlagsDelete(events));
    }
    TELL(135, osEventFlagsDelete(0));
}

static void show_each(void) {
    uint32_t set = 0, cleared = 0;
    events = osEventFlagsNew(0);
    TELL(136, osEventFlagsGet(events));
    for (uint32_t bit = 0; bit < 31; bit++) {
        set += osEventFlagsSet(events, UINT32_C(1) << bit) == (UINT32_C(2) << bit) - 1;
    }
    TELL(136, set);
    TELL(136, osEventFlagsGet(events) == ALL_FLAGS);
    for (uint32_t bit = 0; bit < 31; bit++) {
        cleared += osEventFlagsClear(events, UINT32_C(1) << bit) == (ALL_FLAGS << bit & ALL_FLAGS);
    }
    TELL(136, cleared);
    TELL(136, osEventFlagsGet(events));
    TELL(136, osEventFlagsSet(0, 1));
    TELL(136, osEventFlagsClear(0, UINT32_C(0x10000000)));
    TELL(136, osEventFlagsGet(0));
    TELL(136, osEventFlagsDelete(events));
}

static const uint32_t masks[4] = {1, ALL_FLAGS, UINT32_C(0x2AAAAAAA), UINT32_C(0x55555555)};

static uint32_t turns;

static void waits(void *argument) {
    (void)argument;
    for (int index = 0; index < 4; index++) {
        turns++;
        osEventFlagsWait(events, masks[index], osFlagsWaitAll, osWaitForever);
    }
    turns++;
}

static void show_waits(void) {
    events = osEventFlagsNew(0);
    osThreadNew(waits, 0, AT(osPriorityHigh));
    TELL(137, turns);
    for (int index = 0; index < 4; index++) {
        osEventFlagsSet(events, masks[index]);
        TELL(137, turns);
    }
    osEventFlagsSet(events, UINT32_C(0x55AA55AA));
    TELL(137, osEventFlagsWait(events, UINT32_C(0x55AA55AA), osFlagsWaitAll, 0) == UINT32_C(0x55AA55AA));
    TELL(137, osEventFlagsDelete(events));
    TELL(137, osEventFlagsWait(0, UINT32_C(0x55AA55AA), osFlagsWaitAny, 0));
    TELL(137, osEventFlagsWait(events, osFlagsError, osFlagsWaitAny, 2));
    TELL(137, osEventFlagsWait(events, osFlagsError, osFlagsWaitAll, 2));
}

static void plays(void *argument) {
    const uint32_t own = AS_NUMBER(argument);
    uint32_t count = 0;
    for (uint32_t mask = 1; mask <= ALL_FLAGS; mask = mask << 1 | ((mask & 1) == 0)) {
        if (own == 0) {
            osEventFlagsSet(there, mask);
        }
        count += (osEventFlagsWait(own == 0 ? back : there, mask, osFlagsWaitAny, 100) & osFlagsError) == 0;
        if (own == 1) {
            osEventFlagsSet(back, mask);
        }
    }
    TELL(138, count);
    osEventFlagsSet(events, UINT32_C(1) << own);
}

static void show_between_threads(void) {
    events = osEventFlagsNew(0);
    there = osEventFlagsNew(0);
    back = osEventFlagsNew(0);
    for (uint32_t index = 0; index < 2; index++) {
        osThreadNew(plays, AS_ARGUMENT(index), AT(osPriorityBelowNormal));
    }
    TELL(138, osEventFlagsWait(events, 3, osFlagsWaitAll, 100));
    osDelay(10);
    TELL(138, osEventFlagsDelete(there));
    TELL(138, osEventFlagsDelete(back));
    TELL(138, osEventFlagsDelete(events));
}

static void sets(void *flags) {
    osEventFlagsSet(events, AS_NUMBER(flags));
}

static void show_timeouts(void) {
    events = osEventFlagsNew(0);
    TELL(139, osEventFlagsWait(events, ALL_FLAGS, osFlagsWaitAny, 0));
    TELL(139, osEventFlagsWait(events, ALL_FLAGS, osFlagsWaitAny, 5));
    TELL(139, osEventFlagsWait(events, ALL_FLAGS, osFlagsWaitAll, 0));
    TELL(139, osEventFlagsWait(events, ALL_FLAGS, osFlagsWaitAll, 5));
    osThreadNew(sets, AS_ARGUMENT(3), AT(osPriorityBelowNormal));
    osDelay(5);
    TELL(139, osEventFlagsWait(events, 1, osFlagsWaitAny, 10));
    osThreadNew(sets, AS_ARGUMENT(5), AT(osPriorityBelowNormal));
    osDelay(5);
    TELL(139, osEventFlagsWait(events, 2, osFlagsWaitAny, 10));
    TELL(139, osEventFlagsDelete(events));
}

static void waits_for_one(void *argument) {
    (void)argument;
    osEventFlagsWait(events, 1, osFlagsWaitAll, osWaitForever);
}

/* Beryl doesn't delete what somebody waits for. */
static void show_deleted_while_waiting(void) {
    events = osEventFlagsNew(0);
    const osThreadId_t thread = osThreadNew(waits_for_one, 0, AT(osPriorityAboveNormal));
    TELL(140, osEventFlagsDelete(events));
    osEventFlagsSet(events, 1);
    TELL(140, osThreadTerminate(thread));
    TELL(140, osEventFlagsDelete(events));
}

void show_event_flags(void) {
    show_new();
    show_each();
    show_waits();
    show_between_threads();
    show_timeouts();
    show_deleted_while_waiting();
}
