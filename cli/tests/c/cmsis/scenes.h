/* What is shown, one file for each part of the interface. Each scene tells under numbers of its own. */
#pragma once
#include "cmsis_os2.h"

#define TELL(what, value) beryl_tell(what, (uint32_t)(value))
/* A thread that is more urgent than who shows, and one that is less. */
#define ABOVE(called) (&(const osThreadAttr_t){.name = called, .priority = osPriorityHigh})
#define BELOW(called) (&(const osThreadAttr_t){.name = called, .priority = osPriorityLow})

void show_threads(void);
void show_delays(void);
void show_mutexes(void);
void show_semaphores(void);
void show_thread_flags(void);
void show_event_flags(void);
void show_queues(void);
void show_memory(void);
void show_timers(void);
void show_locked(void);
