/* What the kernel and its library offer to functions in C. Written by the builder; changes are lost. */
#pragma once
#pragma GCC system_header

#include <stdbool.h>
#include <stdint.h>

/* What a call came to. BERYL_OWNER_DIED is a success: the semaphore's last owner stopped inside. */
typedef uint32_t beryl_status;
#define BERYL_SUCCESS UINT32_C(0)
#define BERYL_OWNER_DIED UINT32_C(256)
#define BERYL_UNKNOWN_CALL UINT32_C(0xffffffff)
#define BERYL_WRONG_CALLER UINT32_C(0xfffffffe)
#define BERYL_NO_SUCH_OBJECT UINT32_C(0xfffffffd)
#define BERYL_WOULD_BLOCK UINT32_C(0xfffffffc)
#define BERYL_TIMED_OUT UINT32_C(0xfffffffb)
#define BERYL_BAD_ADDRESS UINT32_C(0xfffffffa)
#define BERYL_RAISED UINT32_C(0xfffffff9)
#define BERYL_NOT_OWNER UINT32_C(0xfffffff8)
#define BERYL_DEADLOCK UINT32_C(0xfffffff7)
#define BERYL_OVERFLOW UINT32_C(0xfffffff6)
#define BERYL_TOO_LONG UINT32_C(0xfffffff5)
#define BERYL_PEER_DIED UINT32_C(0xfffffff4)
#define BERYL_NOT_SERVING UINT32_C(0xfffffff3)
#define BERYL_OUT_OF_PLACE UINT32_C(0xfffffff2)
#define BERYL_NO_BITS UINT32_C(0xfffffff1)
#define BERYL_OUT_OF_RANGE UINT32_C(0xfffffff0)
#define BERYL_OVER_LIMIT UINT32_C(0xffffffef)

/* Ticks, in which all times are. A tick has BERYL_TICK nanoseconds, which the compiler is told for each board; time of the kernel begins at 0.
   What isn't whole ticks is made more. */
#define BERYL_NS(nanoseconds) (((uint64_t)(nanoseconds) + (BERYL_TICK - 1)) / BERYL_TICK)
#define BERYL_US(microseconds) BERYL_NS((uint64_t)(microseconds) * 1000)
#define BERYL_MS(milliseconds) BERYL_NS((uint64_t)(milliseconds) * 1000000)
#define BERYL_S(seconds) BERYL_NS((uint64_t)(seconds) * 1000000000)

/* How long to wait: not at all, as long as it takes, or ticks up to BERYL_LONGEST_WAIT. A constant that is no such word is an error of the
   compiler; for ticks that are computed there is beryl_at_most. */
typedef uint32_t beryl_wait;
#define BERYL_POLL UINT32_C(0)
#define BERYL_FOREVER UINT32_C(0xffffffff)
#define BERYL_LONGEST_WAIT UINT32_C(1073741824)
static inline beryl_wait beryl_at_most(uint64_t ticks) {
    return ticks < BERYL_LONGEST_WAIT ? (beryl_wait)ticks : BERYL_LONGEST_WAIT;
}

/* The releases of a periodic thread. */
typedef struct beryl_period beryl_period;

/* Kernel time in ticks. A job that uses it is no function of its ports any more. */
uint64_t beryl_time(void);

/* The processor time that the calling thread has used, in ticks. */
uint64_t beryl_execution_time(void);

/* In the simulator: uses up so many ticks of processor time. On a board the code itself takes time. */
void beryl_spend(uint64_t ticks);

/* Sleeps for so many ticks; BERYL_RAISED inside a lock. */
beryl_status beryl_sleep(uint64_t ticks);

/* Sleeps until an instant in ticks. */
beryl_status beryl_sleep_until(uint64_t instant);

/* Ends a job of a periodic thread; answers how many releases came meanwhile. Both may be null. */
beryl_status beryl_wait_period(beryl_period *period, uint32_t *missed);

/* Waits for one of some bits of the thread's notifications and interrupts; answers and takes those that are set. */
beryl_status beryl_wait_any(uint32_t bits, beryl_wait wait, uint32_t *set);

/* Lets the next thread of the same priority run. */
void beryl_yield(void);

/* Ends the calling thread for good. */
_Noreturn void beryl_stop(void);

/* Tells something of the application's own to whoever traces the system. */
void beryl_tell(uint16_t event, uint32_t value);

/* Takes the next value of a sensor. Where there is none of this length, the value stays what it was. */
void beryl_environment_read(uint32_t channel, void *value, uint32_t length);

/* Leaves a value for an actuator. */
void beryl_environment_write(uint32_t channel, const void *value, uint32_t length);

/* Prints a text in UTF-8 on the console. */
void beryl_print(const char *text, uint32_t length);

/* Lets the console's receiver interrupt for each byte that arrives. For who serves that interrupt, in a process with the device. */
void beryl_console_listen(void);

/* The byte that has arrived at the console, or -1. There is room for one: the next one takes its place. */
int32_t beryl_console_receive(void);

/* Hands a byte to the console, which interrupts when it has taken it. While it has one, this waits. */
void beryl_console_transmit(uint8_t byte);

/* Enters the kernel and does nothing there. */
void beryl_null(void);

/* Objects of each kind, by values that threads may keep wherever they like: `<name>_object` of ports.h, and null for none. Each call looks
   whether the object is of that kind and its caller has it in its `uses`, on that side; BERYL_NO_SUCH_OBJECT otherwise. A message or value
   with other bytes than the object's is BERYL_OUT_OF_RANGE; it may lie at any address. Nothing has changed then. Each call costs what it
   does, about 30 instructions to find its caller and its right, and one copy of a message. */
typedef struct beryl_lock beryl_lock;
typedef struct beryl_semaphore beryl_semaphore;
typedef struct beryl_condition beryl_condition;
typedef struct beryl_mailbox beryl_mailbox;
typedef struct beryl_endpoint beryl_endpoint;
typedef struct beryl_event_group beryl_event_group;
typedef struct beryl_notification beryl_notification;
typedef struct beryl_interrupt beryl_interrupt;
typedef struct beryl_state beryl_state;
typedef struct beryl_region beryl_region;
typedef struct beryl_thread beryl_thread;

/* The number of the calling thread, BERYL_THREAD_<name> of ports.h, less than BERYL_THREADS. */
uint32_t beryl_self(void);

/* Enters a lock. What comes back in `before` is for beryl_lock_leave. Locks are left in the opposite order, and a function keeps either to these calls or to those of the handle. */
beryl_status beryl_lock_enter(const beryl_lock *lock, uint32_t *before);

/* Leaves a lock; BERYL_NOT_OWNER if its thread isn't inside. */
beryl_status beryl_lock_leave(const beryl_lock *lock, uint32_t before);

/* Where the value of a lock is; null if it has none. */
void *beryl_lock_value(const beryl_lock *lock);

/* Takes a unit, or the semaphore itself if it is a binary one. */
beryl_status beryl_semaphore_wait(const beryl_semaphore *semaphore, beryl_wait wait);

/* Gives a unit back, or a binary semaphore, which BERYL_NOT_OWNER refuses to who hasn't taken it. */
beryl_status beryl_semaphore_signal(const beryl_semaphore *semaphore);

/* Where the value of a binary semaphore is; null if it has none. */
void *beryl_semaphore_value(const beryl_semaphore *semaphore);

/* Gives a binary semaphore up, waits for a condition, and takes the semaphore again, whatever the status is. */
beryl_status beryl_condition_wait(const beryl_condition *condition, const beryl_semaphore *semaphore, beryl_wait wait);

/* Wakes one thread that waits for a condition. */
beryl_status beryl_condition_signal(const beryl_condition *condition);

/* Wakes all threads that wait for a condition. */
beryl_status beryl_condition_broadcast(const beryl_condition *condition);

/* Sends a message. */
beryl_status beryl_mailbox_send(const beryl_mailbox *mailbox, const void *message, uint32_t bytes, beryl_wait wait);

/* Receives a message. */
beryl_status beryl_mailbox_receive(const beryl_mailbox *mailbox, void *message, uint32_t bytes, beryl_wait wait);

/* Asks a server, and waits for its reply. */
beryl_status beryl_endpoint_call(const beryl_endpoint *endpoint, const void *request, uint32_t request_bytes, void *reply, uint32_t reply_bytes, beryl_wait wait);

/* Waits for the first request. */
beryl_status beryl_endpoint_receive(const beryl_endpoint *endpoint, void *request, uint32_t request_bytes, beryl_wait wait);

/* Replies to a request, and waits for the next. */
beryl_status beryl_endpoint_reply(const beryl_endpoint *endpoint, const void *reply, uint32_t reply_bytes, void *request, uint32_t request_bytes);

/* Sets bits. */
beryl_status beryl_event_group_set(const beryl_event_group *group, uint32_t bits);

/* Sets bits; all of them as they are when the caller goes on come back in `now`. */
beryl_status beryl_event_group_set_and_read(const beryl_event_group *group, uint32_t bits, uint32_t *now);

/* Clears bits; all of them as they were come back in `before`. */
beryl_status beryl_event_group_clear(const beryl_event_group *group, uint32_t bits, uint32_t *before);

/* Waits for any of some bits; all that are set come back in `set`. */
beryl_status beryl_event_group_wait_any(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set);

/* Waits for all of some bits. */
beryl_status beryl_event_group_wait_all(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set);

/* Waits for any of some bits, and clears them. */
beryl_status beryl_event_group_take_any(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set);

/* Waits for all of some bits, and clears them. */
beryl_status beryl_event_group_take_all(const beryl_event_group *group, uint32_t bits, beryl_wait wait, uint32_t *set);

/* Sets a notification's bits. */
beryl_status beryl_notification_notify(const beryl_notification *notification);

/* Waits for a notification, as the thread whose it is. */
beryl_status beryl_notification_wait(const beryl_notification *notification, beryl_wait wait);

/* A notification's bits, for beryl_wait_any; 0 if it isn't the caller's. */
uint32_t beryl_notification_bits(const beryl_notification *notification);

/* Waits for an interrupt, whose line is let in meanwhile. */
beryl_status beryl_interrupt_wait(const beryl_interrupt *interrupt, beryl_wait wait);

/* Lets an interrupt's line in again. */
beryl_status beryl_interrupt_acknowledge(const beryl_interrupt *interrupt);

/* An interrupt's bits, for beryl_wait_any; 0 if it isn't the caller's. */
uint32_t beryl_interrupt_bits(const beryl_interrupt *interrupt);

/* Writes a state message. */
beryl_status beryl_state_write(const beryl_state *state, const void *value, uint32_t bytes);

/* Reads a state message; BERYL_WOULD_BLOCK if it was written too often meanwhile to come whole. */
beryl_status beryl_state_read(const beryl_state *state, void *value, uint32_t bytes);

/* Reads a state message by a call. */
beryl_status beryl_state_read_slow(const beryl_state *state, void *value, uint32_t bytes);

/* Reads a word of a region; BERYL_OUT_OF_RANGE if there is no such word. */
beryl_status beryl_region_load(const beryl_region *region, uint32_t offset, uint32_t *value);

/* Writes a word of a region; BERYL_OUT_OF_RANGE if there is no such word. */
beryl_status beryl_region_store(const beryl_region *region, uint32_t offset, uint32_t value);

/* Gives a thread another priority, among those that are declared for it; BERYL_OUT_OF_RANGE for others. */
beryl_status beryl_thread_set_priority(const beryl_thread *thread, uint32_t priority);

/* Slots: how far a program is in its check and on its way. Refused programs have a reason, as docs/reference/system-code.md lists them, and the
   address of the instruction at fault, or 0. */
#define BERYL_PROGRESS_NOTHING UINT32_C(0)
#define BERYL_PROGRESS_MORE UINT32_C(1)
#define BERYL_PROGRESS_ACCEPTED UINT32_C(2)
#define BERYL_PROGRESS_RUNNING UINT32_C(3)
#define BERYL_PROGRESS_REFUSED UINT32_C(4)
typedef struct beryl_progress {
    uint32_t state;
    uint16_t reason, address;
} beryl_progress;

/* The identity of an image. */
typedef struct beryl_image {
    uint8_t bytes[32];
} beryl_image;

/* The trace: which classes are told, and notes as docs/reference/trace.md has them. */
#define BERYL_CLASS_JOBS UINT32_C(0x1)
#define BERYL_CLASS_SWITCHES UINT32_C(0x2)
#define BERYL_CLASS_DRIVERS UINT32_C(0x4)
#define BERYL_CLASS_SWAPS UINT32_C(0x8)
#define BERYL_CLASS_FAULTS UINT32_C(0x10)
#define BERYL_CLASS_WAITS UINT32_C(0x20)
#define BERYL_CLASS_LOCKS UINT32_C(0x40)
#define BERYL_CLASS_MESSAGES UINT32_C(0x80)
#define BERYL_CLASS_INTERRUPTS UINT32_C(0x100)
#define BERYL_CLASS_MODES UINT32_C(0x200)
#define BERYL_CLASS_KERNEL UINT32_C(0x400)
#define BERYL_CLASS_EVENTS UINT32_C(0x800)
#define BERYL_CLASS_BUDGETS UINT32_C(0x1000)
#define BERYL_CLASS_STATES UINT32_C(0x2000)
typedef struct beryl_note {
    uint32_t words[4];
} beryl_note;
typedef struct beryl_notes {
    uint32_t count;
    beryl_note notes[4];
} beryl_notes;

/* Supervisors: what happened to whom (BERYL_WATCHED_<Name> of ports.h), how often since the report before, and when last, in ticks. */
#define BERYL_INCIDENT_FAULT UINT32_C(0)
#define BERYL_INCIDENT_OVERRUN UINT32_C(1)
#define BERYL_INCIDENT_MISS UINT32_C(2)
#define BERYL_INCIDENT_VIOLATION UINT32_C(3)
#define BERYL_INCIDENT_REFUSAL UINT32_C(4)
typedef struct beryl_report {
    uint64_t last;
    uint32_t who, what, count;
} beryl_report;

/* Mathematics with the same bits on every machine; the functions of a C library have others. */
double beryl_acos(double x);
float beryl_acosf(float x);
double beryl_asin(double x);
float beryl_asinf(float x);
double beryl_atan(double x);
float beryl_atanf(float x);
double beryl_cbrt(double x);
float beryl_cbrtf(float x);
double beryl_ceil(double x);
float beryl_ceilf(float x);
double beryl_cos(double x);
float beryl_cosf(float x);
double beryl_cosh(double x);
float beryl_coshf(float x);
double beryl_exp(double x);
float beryl_expf(float x);
double beryl_exp2(double x);
float beryl_exp2f(float x);
double beryl_fabs(double x);
float beryl_fabsf(float x);
double beryl_floor(double x);
float beryl_floorf(float x);
double beryl_log(double x);
float beryl_logf(float x);
double beryl_log2(double x);
float beryl_log2f(float x);
double beryl_log10(double x);
float beryl_log10f(float x);
double beryl_round(double x);
float beryl_roundf(float x);
double beryl_sin(double x);
float beryl_sinf(float x);
double beryl_sinh(double x);
float beryl_sinhf(float x);
double beryl_sqrt(double x);
float beryl_sqrtf(float x);
double beryl_tan(double x);
float beryl_tanf(float x);
double beryl_tanh(double x);
float beryl_tanhf(float x);
double beryl_trunc(double x);
float beryl_truncf(float x);
double beryl_atan2(double x, double y);
float beryl_atan2f(float x, float y);
double beryl_copysign(double x, double y);
float beryl_copysignf(float x, float y);
double beryl_fmax(double x, double y);
float beryl_fmaxf(float x, float y);
double beryl_fmin(double x, double y);
float beryl_fminf(float x, float y);
double beryl_fmod(double x, double y);
float beryl_fmodf(float x, float y);
double beryl_hypot(double x, double y);
float beryl_hypotf(float x, float y);
double beryl_pow(double x, double y);
float beryl_powf(float x, float y);
double beryl_fma(double x, double y, double z);
float beryl_fmaf(float x, float y, float z);

/* A number without what is behind its point. What doesn't fit becomes the nearest that does, and 0 if it is no number; a cast is undefined then. */
int8_t beryl_to_int8(double x);
int16_t beryl_to_int16(double x);
int32_t beryl_to_int32(double x);
int64_t beryl_to_int64(double x);
uint8_t beryl_to_uint8(double x);
uint16_t beryl_to_uint16(double x);
uint32_t beryl_to_uint32(double x);
uint64_t beryl_to_uint64(double x);
