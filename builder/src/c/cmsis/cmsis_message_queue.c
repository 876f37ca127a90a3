/* Message queues: units of room, units of messages, and slots between them.

   Each slot begins with the number and the priority of its message; the message follows. */
#include "cmsis_inside.h"

struct slot {
    uint32_t number;
    uint8_t priority;
    bool is_full;
    uint8_t message[];
};

static bool is_one(osMessageQueueId_t queue) {
    return queue != 0 && queue->place.row.is_taken;
}

static struct slot *slot(osMessageQueueId_t queue, uint32_t index) {
    return (struct slot *)(void *)((char *)queue->slots + (uintptr_t)index * CMSIS_SLOT(queue->size));
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
    made->number = 0;
    for (uint32_t index = 0; index < count; index++) {
        slot(made, index)->is_full = false;
    }
    cmsis_fill(&made->room, count, count);
    cmsis_fill(&made->messages, count, 0);
    return made;
}

const char *osMessageQueueGetName(osMessageQueueId_t queue) {
    return is_one(queue) ? queue->place.row.name : 0;
}

/* Who is here has had a unit, so there is a slot. */
static struct slot *empty_slot(osMessageQueueId_t queue) {
    uint32_t index = 0;
    while (index + 1 < queue->capacity && slot(queue, index)->is_full) {
        index++;
    }
    return slot(queue, index);
}

/* The most urgent one, and the oldest of those. Numbers go round, so their distance says which is older. */
static struct slot *next_slot(osMessageQueueId_t queue) {
    struct slot *next = 0;
    for (uint32_t index = 0; index < queue->capacity; index++) {
        struct slot *other = slot(queue, index);
        const bool is_older = next != 0 && other->priority == next->priority && (int32_t)(other->number - next->number) < 0;
        if (other->is_full && (next == 0 || other->priority > next->priority || is_older)) {
            next = other;
        }
    }
    return next;
}

osStatus_t osMessageQueuePut(osMessageQueueId_t queue, const void *message, uint8_t priority, uint32_t timeout) {
    if (!is_one(queue) || message == 0) {
        return osErrorParameter;
    }
    const osStatus_t status = cmsis_take(&queue->room, timeout);
    if (status != osOK) {
        return status;
    }
    const uint32_t before = cmsis_enter();
    struct slot *empty = empty_slot(queue);
    empty->number = queue->number++;
    empty->priority = priority;
    empty->is_full = true;
    __builtin_memcpy(empty->message, message, queue->size);
    cmsis_leave(before);
    cmsis_give(&queue->messages);
    return osOK;
}

osStatus_t osMessageQueueGet(osMessageQueueId_t queue, void *message, uint8_t *priority, uint32_t timeout) {
    if (!is_one(queue) || message == 0) {
        return osErrorParameter;
    }
    const osStatus_t status = cmsis_take(&queue->messages, timeout);
    if (status != osOK) {
        return status;
    }
    const uint32_t before = cmsis_enter();
    struct slot *next = next_slot(queue);
    __builtin_memcpy(message, next->message, queue->size);
    if (priority != 0) {
        *priority = next->priority;
    }
    next->is_full = false;
    cmsis_leave(before);
    cmsis_give(&queue->room);
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
    while (cmsis_take(&queue->messages, 0) == osOK) {
        const uint32_t before = cmsis_enter();
        next_slot(queue)->is_full = false;
        cmsis_leave(before);
        cmsis_give(&queue->room);
    }
    return osOK;
}

osStatus_t osMessageQueueDelete(osMessageQueueId_t queue) {
    return is_one(queue) ? cmsis_delete(&queue->place.row, &queue->messages, &queue->room) : osErrorParameter;
}
