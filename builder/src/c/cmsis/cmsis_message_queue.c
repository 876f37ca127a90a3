/* Message queues: units of room, units of messages, and slots in two lists: those that are free, and those that are full, the most urgent
   first and the oldest of those. A message that isn't more urgent than the last goes behind it at once. */
#include "cmsis_inside.h"

struct slot {
    uint32_t next, priority;
    uint8_t message[];
};

/* No slot's number. */
#define NONE UINT32_MAX

CMSIS_SHORT bool is_one(osMessageQueueId_t queue) {
    return queue != 0 && queue->place.row.is_taken;
}

static struct slot *slot(osMessageQueueId_t queue, uint32_t number) {
    return (void *)((char *)queue->slots + (uintptr_t)number * CMSIS_SLOT(queue->size));
}

/* All slots are free. */
static void empty(osMessageQueueId_t queue) {
    queue->free = 0;
    queue->first = queue->last = NONE;
    for (uint32_t number = 0; number < queue->capacity; number++) {
        slot(queue, number)->next = number + 1;
    }
}

osMessageQueueId_t osMessageQueueNew(uint32_t count, uint32_t size, const osMessageQueueAttr_t *attr) {
    static const osMessageQueueAttr_t none = {0};
    const osMessageQueueAttr_t *wanted = attr == 0 ? &none : attr;
    if (count == 0 || size == 0 || size > UINT16_MAX || count > UINT16_MAX) {
        return 0;
    }
    /* In memory of the caller's, any row is enough. */
    const uint64_t needed = (uint64_t)count * CMSIS_SLOT(size);
    const bool is_callers = wanted->mq_mem != 0;
    if (is_callers && ((uintptr_t)wanted->mq_mem % 4 != 0 || needed > wanted->mq_size)) {
        return 0;
    }
    osMessageQueueId_t made =
        cmsis_taken_with(cmsis_queues, cmsis_queue_count, sizeof cmsis_queues[0], is_callers ? 0 : needed, wanted->name);
    if (made == 0) {
        return 0;
    }
    made->slots = is_callers ? wanted->mq_mem : made->place.memory;
    made->capacity = count;
    made->size = size;
    empty(made);
    cmsis_fill(&made->room, count, count);
    cmsis_fill(&made->messages, count, 0);
    return made;
}

const char *osMessageQueueGetName(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->place.row.name : 0;
}

/* Behind all that are as urgent. */
static void append(osMessageQueueId_t queue, uint32_t number) {
    const uint32_t priority = slot(queue, number)->priority;
    uint32_t before = queue->last;
    if (before != NONE && slot(queue, before)->priority < priority) {
        before = NONE;
        for (uint32_t other = queue->first; slot(queue, other)->priority >= priority; other = slot(queue, other)->next) {
            before = other;
        }
    }
    uint32_t *link = before == NONE ? &queue->first : &slot(queue, before)->next;
    slot(queue, number)->next = *link;
    *link = number;
    if (before == queue->last) {
        queue->last = number;
    }
}

/* The first one. Who asks has had a unit, so there is one. */
static struct slot *removed(osMessageQueueId_t queue) {
    const uint32_t number = queue->first;
    struct slot *first = slot(queue, number);
    if (number == queue->last) {
        queue->last = NONE;
    }
    queue->first = first->next;
    first->next = queue->free;
    queue->free = number;
    return first;
}

osStatus_t osMessageQueuePut(osMessageQueueId_t queue, const void *message, uint8_t priority, uint32_t timeout) {
    if (!is_one(queue) || message == 0) {
        return osErrorParameter;
    }
    uint32_t before = 0;
    const osStatus_t status = cmsis_take_inside(&queue->room, timeout, &before);
    if (status != osOK) {
        return status;
    }
    const uint32_t number = queue->free;
    struct slot *free = slot(queue, number);
    queue->free = free->next;
    free->priority = priority;
    __builtin_memcpy(free->message, message, queue->size);
    append(queue, number);
    const bool waits = cmsis_add(&queue->messages);
    cmsis_leave(before);
    if (waits) {
        beryl_semaphore_signal(queue->messages.gate);
    }
    return osOK;
}

osStatus_t osMessageQueueGet(osMessageQueueId_t queue, void *message, uint8_t *priority, uint32_t timeout) {
    if (!is_one(queue) || message == 0) {
        return osErrorParameter;
    }
    uint32_t before = 0;
    const osStatus_t status = cmsis_take_inside(&queue->messages, timeout, &before);
    if (status != osOK) {
        return status;
    }
    struct slot *next = removed(queue);
    __builtin_memcpy(message, next->message, queue->size);
    if (priority != 0) {
        *priority = next->priority;
    }
    const bool waits = cmsis_add(&queue->room);
    cmsis_leave(before);
    if (waits) {
        beryl_semaphore_signal(queue->room.gate);
    }
    return osOK;
}

uint32_t osMessageQueueGetCapacity(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->capacity : 0;
}

uint32_t osMessageQueueGetMsgSize(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->size : 0;
}

uint32_t osMessageQueueGetCount(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->messages.there : 0;
}

uint32_t osMessageQueueGetSpace(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->room.there : 0;
}

osStatus_t osMessageQueueReset(osMessageQueueId_t queue) {
    if (!is_one(queue)) {
        return osErrorParameter;
    }
    uint32_t before = 0;
    while (cmsis_take_inside(&queue->messages, 0, &before) == osOK) {
        removed(queue);
        cmsis_leave(before);
        cmsis_give(&queue->room);
    }
    return osOK;
}

osStatus_t osMessageQueueDelete(osMessageQueueId_t queue) {
    return is_one(queue) ? cmsis_delete(&queue->place.row, &queue->messages, &queue->room) : osErrorParameter;
}
