/* What the library takes from: rows that name objects of the description. */
#pragma once
#include "cmsis_os2.h"

struct cmsis_thread {
    const beryl_thread *thread;
    const beryl_semaphore *gate;
    /* Null: it is free. */
    osThreadFunc_t function;
    void *argument;
    /* It has its function from the start, and no gate to wait at. */
    bool is_first;
    const char *name;
    osPriority_t priority;
    uint32_t number;
    void *end[5];
};

struct cmsis_mutex {
    const beryl_semaphore *semaphore;
    osThreadId_t owner;
    uint32_t depth;
    bool is_taken;
    bool is_recursive;
};

struct cmsis_semaphore {
    const beryl_semaphore *gate;
    uint32_t most, tokens, waiters;
    bool is_taken;
};

extern const beryl_lock *const cmsis_guard;
extern struct cmsis_thread *const cmsis_threads[];
extern const uint32_t cmsis_thread_count;
extern struct cmsis_mutex cmsis_mutexes[];
extern const uint32_t cmsis_mutex_count;
extern struct cmsis_semaphore cmsis_semaphores[];
extern const uint32_t cmsis_semaphore_count;
