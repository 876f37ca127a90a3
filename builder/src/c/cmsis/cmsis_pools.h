/* What the library takes from: rows that name objects which [cmsis] of the description makes. The builder writes them into cmsis_table.c. */
#pragma once
#include "cmsis_os2.h"

/* What each row begins with. */
struct cmsis_row {
    bool is_taken;
    const char *name;
};

/* The same of what needs memory: where it is, and how much. */
struct cmsis_place {
    struct cmsis_row row;
    void *memory;
    uint32_t bytes;
};

/* Units that are counted by the library, since the most of them is chosen at run time, and where threads wait for them. */
struct cmsis_units {
    const beryl_semaphore *gate;
    uint32_t most, there, waiters;
};

struct cmsis_thread {
    struct cmsis_row row;
    const beryl_thread *thread;
    const beryl_semaphore *gate;
    /* Its flags, and in the last bit whether it has ended. */
    const beryl_event_group *flags;
    uint32_t stack;
    /* The first has its function from the start, and no gate to wait at. */
    bool is_first, is_joinable, is_joined, has_ended;
    osThreadFunc_t function;
    void *argument;
    osPriority_t priority;
    /* Null while it doesn't wait. Only the thread itself writes it. */
    const void *waits_for;
    void *end[5];
};

struct cmsis_mutex {
    struct cmsis_row row;
    const beryl_semaphore *semaphore;
    osThreadId_t owner;
    uint32_t depth;
    bool is_recursive, is_robust;
};

struct cmsis_semaphore {
    struct cmsis_row row;
    struct cmsis_units units;
};

struct cmsis_event_flags {
    struct cmsis_row row;
    const beryl_event_group *group;
};

struct cmsis_queue {
    struct cmsis_place place;
    struct cmsis_units messages, room;
    /* Where messages are: in the row's memory, or where who made the queue says. */
    void *slots;
    /* The lists of slots, by their numbers. */
    uint32_t free, first, last;
    uint32_t capacity, size;
};

struct cmsis_memory_pool {
    struct cmsis_place place;
    struct cmsis_units units;
    /* As for a queue. */
    void *blocks, *free;
    uint32_t size;
};

/* It needs nothing of the description. `due` and `period` are in ticks of the interface. */
struct cmsis_timer {
    struct cmsis_row row;
    osTimerFunc_t function;
    void *argument;
    uint64_t due;
    uint32_t period;
    bool is_periodic, runs;
};

/* A row for thread `name` of the description, with `name_gate` and `name_flags`. */
#define CMSIS_THREAD(name, bytes) \
    struct cmsis_thread name##_row = {.thread = &name##_object, .gate = &name##_gate_object, .flags = &name##_flags_object, \
                                      .stack = bytes}
/* The one that begins. */
#define CMSIS_FIRST(name, bytes, begins) \
    struct cmsis_thread name##_row = {.row = {.is_taken = true}, .thread = &name##_object, .gate = &name##_gate_object, \
                                      .flags = &name##_flags_object, .stack = bytes, \
                                      .is_first = true, .function = begins, .priority = osPriorityNormal}

/* Beryl's, as the interface writes versions: 1.2.3 is 10020003. */
extern const uint32_t cmsis_version;
extern const beryl_lock *const cmsis_guard;
extern struct cmsis_thread *const cmsis_threads[];
extern const uint32_t cmsis_thread_count;
/* Of each thread of the system, by its number; null for those that aren't the pool's. */
extern struct cmsis_thread *const cmsis_of_thread[BERYL_THREADS];
extern struct cmsis_mutex cmsis_mutexes[];
extern const uint32_t cmsis_mutex_count;
extern struct cmsis_semaphore cmsis_semaphores[];
extern const uint32_t cmsis_semaphore_count;
extern struct cmsis_event_flags cmsis_event_flags[];
extern const uint32_t cmsis_event_flags_count;
extern struct cmsis_queue cmsis_queues[];
extern const uint32_t cmsis_queue_count;
extern struct cmsis_memory_pool cmsis_memory_pools[];
extern const uint32_t cmsis_memory_pool_count;
extern struct cmsis_timer cmsis_timers[];
extern const uint32_t cmsis_timer_count;
/* Of the thread that calls what is due. */
extern const osPriority_t cmsis_timer_priority;
