/* Ports of `objects` for native functions in C. Written by the builder; changes are lost. */
#pragma once
#pragma GCC system_header

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "beryl.h"

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE 754, 32 and 64 bits");

/* A handle of `bare`. */
typedef struct bare_semaphore bare_semaphore;

/* A handle of `far`. */
typedef struct far_client far_client;

/* A handle of `far`. */
typedef struct far_server far_server;

/* A handle of `filled`. */
typedef struct filled_condition filled_condition;

/* A handle of `frame`. */
typedef struct frame_region frame_region;

/* A handle of `left`. */
typedef struct left_thread left_thread;

/* A handle of `letters`. */
typedef struct letters_receiver letters_receiver;

/* A handle of `letters`. */
typedef struct letters_sender letters_sender;

/* A handle of `line`. */
typedef struct line_interrupt line_interrupt;

/* A handle of `map`. */
typedef struct map_lock map_lock;

/* A handle of `near`. */
typedef struct near_client near_client;

/* A handle of `near`. */
typedef struct near_server near_server;

/* A handle of `notes`. */
typedef struct notes_receiver notes_receiver;

/* A handle of `notes`. */
typedef struct notes_sender notes_sender;

/* A handle of `ones`. */
typedef struct ones_receiver ones_receiver;

/* A handle of `ones`. */
typedef struct ones_sender ones_sender;

/* A handle of `pairs`. */
typedef struct pairs_receiver pairs_receiver;

/* A handle of `pairs`. */
typedef struct pairs_sender pairs_sender;

/* A handle of `plain`. */
typedef struct plain_lock plain_lock;

/* A handle of `ready`. */
typedef struct ready_source ready_source;

/* A handle of `ready`. */
typedef struct ready_waiter ready_waiter;

/* A handle of `server`. */
typedef struct server_client server_client;

/* A handle of `server`. */
typedef struct server_server server_server;

/* A handle of `speed`. */
typedef struct speed_reader speed_reader;

/* A handle of `speed`. */
typedef struct speed_writer speed_writer;

/* A handle of `store`. */
typedef struct store_semaphore store_semaphore;

/* A handle of `tick`. */
typedef struct tick_notification tick_notification;

/* A handle of `tick`. */
typedef struct tick_notifier tick_notifier;

/* A handle of `units`. */
typedef struct units_semaphore units_semaphore;

/* A handle of `wide`. */
typedef struct wide_slow_reader wide_slow_reader;

/* A handle of `wide`. */
typedef struct wide_writer wide_writer;

/* What is done with them. */
/* Of the locks that a thread is in, the last that it entered is the first that it leaves: to leave another is BERYL_RAISED, and
   BERYL_NOT_OWNER where it isn't entered; the thread stays in all of them. Nobody waits for a condition inside of a lock
   with another entered, before or since: that is BERYL_RAISED, too. */
void bare_signal(bare_semaphore *bare);
beryl_status bare_wait(bare_semaphore *bare, beryl_wait wait);
beryl_status far_call(far_client *far, const int32_t *request, int32_t (*reply)[3], beryl_wait wait);
beryl_status far_receive(far_server *far, int32_t *request, beryl_wait wait);
beryl_status far_reply(far_server *far, const int32_t (*reply)[3], int32_t *request);
void filled_broadcast(filled_condition *filled);
void filled_signal(filled_condition *filled);
beryl_status filled_wait_in_bare(filled_condition *filled, bare_semaphore *bare, beryl_wait wait);
beryl_status filled_wait_in_map(filled_condition *filled, map_lock *map, beryl_wait wait);
beryl_status filled_wait_in_plain(filled_condition *filled, plain_lock *plain, beryl_wait wait);
beryl_status filled_wait_in_store(filled_condition *filled, store_semaphore *store, beryl_wait wait);
bool frame_load(frame_region *frame, uint32_t offset, uint32_t *value);
bool frame_store(frame_region *frame, uint32_t offset, uint32_t value);
beryl_status left_set_priority(left_thread *left, uint32_t priority);
beryl_status letters_receive(letters_receiver *letters, int32_t (*message)[4], beryl_wait wait);
beryl_status letters_send(letters_sender *letters, const int32_t (*message)[4], beryl_wait wait);
void line_acknowledge(line_interrupt *line);
uint32_t line_bits(line_interrupt *line);
beryl_status line_wait(line_interrupt *line, beryl_wait wait);
float (*map_enter(map_lock *map))[3];
beryl_status map_leave(map_lock *map);
beryl_status near_call(near_client *near, const int32_t *request, int32_t (*reply)[2], beryl_wait wait);
beryl_status near_receive(near_server *near, int32_t *request, beryl_wait wait);
beryl_status near_reply(near_server *near, const int32_t (*reply)[2], int32_t *request);
beryl_status notes_receive(notes_receiver *notes, int16_t (*message)[5], beryl_wait wait);
beryl_status notes_send(notes_sender *notes, const int16_t (*message)[5], beryl_wait wait);
beryl_status ones_receive(ones_receiver *ones, int32_t *message, beryl_wait wait);
beryl_status ones_send(ones_sender *ones, const int32_t *message, beryl_wait wait);
beryl_status pairs_receive(pairs_receiver *pairs, int64_t *message, beryl_wait wait);
beryl_status pairs_send(pairs_sender *pairs, const int64_t *message, beryl_wait wait);
void plain_enter(plain_lock *plain);
beryl_status plain_leave(plain_lock *plain);
uint32_t ready_clear(ready_source *ready, uint32_t bits);
void ready_set(ready_source *ready, uint32_t bits);
beryl_status ready_take_all(ready_waiter *ready, uint32_t bits, beryl_wait wait, uint32_t *set);
beryl_status ready_take_any(ready_waiter *ready, uint32_t bits, beryl_wait wait, uint32_t *set);
beryl_status ready_wait_all(ready_waiter *ready, uint32_t bits, beryl_wait wait, uint32_t *set);
beryl_status ready_wait_any(ready_waiter *ready, uint32_t bits, beryl_wait wait, uint32_t *set);
beryl_status server_call(server_client *server, const int32_t *request, double (*reply)[2], beryl_wait wait);
beryl_status server_receive(server_server *server, int32_t *request, beryl_wait wait);
beryl_status server_reply(server_server *server, const double (*reply)[2], int32_t *request);
bool speed_read(speed_reader *speed, float *value);
void speed_write(speed_writer *speed, const float *value);
void store_signal(store_semaphore *store);
int32_t *store_value(store_semaphore *store);
beryl_status store_wait(store_semaphore *store, beryl_wait wait);
beryl_status store_wait_period(store_semaphore *store, beryl_period *period, uint32_t *missed);
uint32_t tick_bits(tick_notification *tick);
void tick_notify(tick_notifier *tick);
beryl_status tick_wait(tick_notification *tick, beryl_wait wait);
beryl_status units_signal(units_semaphore *units);
beryl_status units_wait(units_semaphore *units, beryl_wait wait);
beryl_status wide_read_slow(wide_slow_reader *wide, int64_t (*value)[3]);
void wide_write(wide_writer *wide, const int64_t (*value)[3]);

/* Objects by values: any thread that has one in its `uses` may use it by the calls of its kind in beryl.h. */
extern const beryl_lock map_object;
extern const beryl_lock plain_object;
extern const beryl_semaphore store_object;
extern const beryl_semaphore units_object;
extern const beryl_condition filled_object;
extern const beryl_mailbox notes_object;
extern const beryl_endpoint server_object;
extern const beryl_notification tick_object;
extern const beryl_state speed_object;
extern const beryl_state wide_object;
extern const beryl_region frame_object;
extern const beryl_event_group ready_object;
extern const beryl_thread left_object;
extern const beryl_semaphore bare_object;
extern const beryl_interrupt line_object;
extern const beryl_endpoint near_object;
extern const beryl_endpoint far_object;
extern const beryl_mailbox letters_object;
extern const beryl_mailbox pairs_object;
extern const beryl_mailbox ones_object;

/* Threads by their numbers, which beryl_self answers. */
#define BERYL_THREAD_left UINT32_C(0)
#define BERYL_THREAD_right UINT32_C(1)
#define BERYL_THREAD_aside UINT32_C(2)
#define BERYL_THREADS UINT32_C(4)

/* Thread `left`. */
void left(beryl_period *period, map_lock *map, plain_lock *plain, store_semaphore *store, units_semaphore *units, filled_condition *filled, notes_sender *notes, server_client *server, tick_notifier *tick, speed_writer *speed, wide_writer *wide, frame_region *frame, ready_source *ready, left_thread *left);

/* Thread `right`. */
void right(map_lock *map, plain_lock *plain, bare_semaphore *bare, notes_receiver *notes, server_server *server, tick_notification *tick, line_interrupt *line, speed_reader *speed, wide_slow_reader *wide, frame_region *frame, ready_waiter *ready, near_server *near, far_server *far);

/* Thread `aside`. */
void aside(bare_semaphore *bare, store_semaphore *store, units_semaphore *units, filled_condition *filled, letters_sender *letters, letters_receiver *letters_2, pairs_sender *pairs, pairs_receiver *pairs_2, ones_sender *ones, ones_receiver *ones_2, near_client *near, far_client *far);
