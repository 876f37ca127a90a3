/* What begins: it makes the thread that shows one scene after another. And the pools, as the description has them. */
#include "cmsis_pools.h"
#include "scenes.h"

static void show(void *argument) {
    (void)argument;
    show_threads();
    show_delays();
    show_mutexes();
    show_semaphores();
    show_thread_flags();
    show_event_flags();
    show_queues();
    show_memory();
    show_timers();
    TELL(99, osThreadGetCount());
}

static void begin(void *argument) {
    (void)argument;
    osVersion_t version = {0};
    char name[4] = "....";
    TELL(1, osKernelGetState());
    TELL(1, osThreadNew(show, 0, 0) == 0);
    TELL(1, osKernelStart());
    TELL(1, osKernelInitialize());
    TELL(1, osKernelInitialize());
    TELL(1, osKernelGetState());
    TELL(1, osKernelGetInfo(&version, name, sizeof name));
    TELL(1, version.api);
    TELL(1, name[0] == 'B' && name[2] == 'r' && name[3] == 0);
    TELL(1, osKernelGetTickFreq());
    TELL(1, osKernelGetSysTimerFreq() / 1000 * BERYL_TICK);
    TELL(1, osThreadNew(show, 0, ABOVE("show")) != 0);
    TELL(1, osThreadGetCount());
    osKernelStart();
}

CMSIS_FIRST(pool_0, 1024, begin);
CMSIS_THREAD(pool_1, 1024);
CMSIS_THREAD(pool_2, 1024);
CMSIS_THREAD(pool_3, 1024);
struct cmsis_thread *const cmsis_threads[] = {&pool_0_row, &pool_1_row, &pool_2_row, &pool_3_row};
const uint32_t cmsis_thread_count = 4;
const beryl_lock *const cmsis_guard = &guard_object;
struct cmsis_mutex cmsis_mutexes[] = {{.semaphore = &mutex_0_owned_object}, {.semaphore = &mutex_1_owned_object}};
const uint32_t cmsis_mutex_count = 2;
struct cmsis_semaphore cmsis_semaphores[] = {{.units.gate = &semaphore_0_gate_object}, {.units.gate = &semaphore_1_gate_object}};
const uint32_t cmsis_semaphore_count = 2;
struct cmsis_event_flags cmsis_event_flags[] = {{.group = &events_0_bits_object}};
const uint32_t cmsis_event_flags_count = 1;
static uint32_t slots[CMSIS_QUEUE_BYTES(3, 12) / 4];
struct cmsis_queue cmsis_queues[] = {{.messages.gate = &queue_0_items_object, .room.gate = &queue_0_room_object, .memory = slots, .bytes = sizeof slots}};
const uint32_t cmsis_queue_count = 1;
static uint64_t blocks[CMSIS_MEMORY_BYTES(2, 12) / 8];
struct cmsis_memory_pool cmsis_memory_pools[] = {{.units.gate = &memory_0_blocks_object, .memory = blocks, .bytes = sizeof blocks}};
const uint32_t cmsis_memory_pool_count = 1;
struct cmsis_timer cmsis_timers[2];
const uint32_t cmsis_timer_count = 2;
const osPriority_t cmsis_timer_priority = osPriorityHigh;
