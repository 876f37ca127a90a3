/* A bell that rings each 5 ms, and holds its line up until somebody looks. */
#include <stdio.h>
#include <string.h>

static const uint64_t APART = 5000000;

struct world {
    /* How often it had rung when somebody looked last, what was seen then, and what came back of it; and how often somebody
       knocked instead. */
    uint64_t seen;
    int32_t value, heard, knocks;
};

const size_t world_size = sizeof(world);

const char *world_begin(world *bell, uint64_t seed, const char *folder) {
    bell->value = 1;
    return seed == 13 ? "thirteen brings bad luck" : strstr(folder, "world") == 0 ? "in another folder" : 0;
}

void world_read(world *bell, uint64_t instant, uint32_t channel, void *value, uint32_t length) {
    if (channel == 0 && length == sizeof bell->value) {
        bell->seen = instant / APART;
        bell->value = (int32_t)(1000 * beryl_sin((double)bell->seen));
        memcpy(value, &bell->value, sizeof bell->value);
    }
}

void world_write(world *bell, uint64_t instant, uint32_t channel, const void *value, uint32_t length) {
    (void)instant;
    if (channel == 1 && length == sizeof bell->heard) {
        memcpy(&bell->heard, value, sizeof bell->heard);
    }
    if (channel == 2 && length == sizeof bell->knocks) {
        memcpy(&bell->knocks, value, sizeof bell->knocks);
    }
}

bool world_interrupt(world *bell, uint64_t after, uint64_t *instant, uint16_t *line) {
    (void)bell;
    *instant = (after / APART + 1) * APART;
    *line = 20;
    return true;
}

world_line world_level(world *bell, uint64_t instant, uint16_t line) {
    return line == 20 && bell->seen < instant / APART ? WORLD_UP : WORLD_DOWN;
}

bool world_finish(world *bell, uint64_t instant, char *report, size_t room) {
    const unsigned rang = (unsigned)(instant / APART);
    snprintf(report, room, "it rang %u times, %d knocks, and %d came back of %d", rang, bell->knocks, bell->heard, bell->value);
    return bell->seen == instant / APART && bell->heard == bell->value;
}
