/* Scenes for the cases of ARM's validation suite: which number stands for which case is in cli/tests/cmsis/validation.rs. */
#pragma once
#include "cmsis_os2.h"

#define TELL(what, value) beryl_tell(what, (uint32_t)(value))
/* A thread of that priority. */
#define AT(urgency) (&(const osThreadAttr_t){.priority = urgency})
#define JOINABLE_AT(urgency) (&(const osThreadAttr_t){.attr_bits = osThreadJoinable, .priority = urgency})
#define AS_NUMBER(argument) ((uint32_t)(uintptr_t)(argument))
#define AS_ARGUMENT(number) ((void *)(uintptr_t)(number))
/* All flags an application has. */
#define ALL_FLAGS UINT32_C(0x7FFFFFFF)

/* Threads with nothing to do but to end at once, or when they are told to. */
void ends(void *argument);
void ends_when_told(void *argument);
void tell_to_end(osThreadId_t thread);

void show_kernel(void);
void show_made(void);
void show_states(void);
void show_priorities(void);
void show_joined(void);
void show_turns(void);
void show_refused(void);
void show_names(void);
void show_full(void);
void show_ten_ticks(void);
void show_thread_flags(void);
void show_event_flags(void);
void show_mutexes(void);
void show_owners(void);
void show_tokens(void);
void show_blocks(void);
void show_letters(void);
void show_callbacks(void);
