/* The tank: the environment of the simulation. Water runs out of it, the faster the more there is, and the pump fills it. What
   it is asked is declared in build/NAME/c/world.h. */
#include <stdio.h>
#include <string.h>

/* The channels of control.c. */
enum { LEVEL = 0, PUMP = 1 };

/* What the controller should keep to, in um, and from when on, in ns. */
static const double WANTED = 100000, BOUND = 5000;
static const uint64_t SETTLED = UINT64_C(6000000000);

/* All numbers are in um and seconds. */
struct world {
    double level, pump;
    /* The farthest from what is wanted, once it should have settled. */
    double farthest;
    /* Up to when it has been worked out, in ns. */
    uint64_t at;
};

const size_t world_size = sizeof(world);

static void advance(world *tank, uint64_t now) {
    const uint64_t longest = 1000000;
    while (tank->at < now) {
        const uint64_t step = now - tank->at < longest ? now - tank->at : longest;
        tank->level += (tank->pump - 0.3 * tank->level) * ((double)step * 1e-9);
        tank->at += step;
        if (tank->at >= SETTLED) {
            tank->farthest = beryl_fmax(tank->farthest, beryl_fabs(tank->level - WANTED));
        }
    }
}

void world_read(world *tank, uint64_t instant, uint32_t channel, void *value, uint32_t length) {
    advance(tank, instant);
    const int32_t level = (int32_t)tank->level;
    if (channel == LEVEL && length == sizeof level) {
        memcpy(value, &level, sizeof level);
    }
}

void world_write(world *tank, uint64_t instant, uint32_t channel, const void *value, uint32_t length) {
    advance(tank, instant);
    int32_t pump;
    if (channel == PUMP && length == sizeof pump) {
        memcpy(&pump, value, sizeof pump);
        tank->pump = pump;
    }
}

/* A run in which the level isn't held fails, with the reason. */
bool world_finish(world *tank, uint64_t instant, char *report, size_t room) {
    advance(tank, instant);
    if (tank->farthest > BOUND) {
        snprintf(report, room, "the level is %.1f mm; it was %.1f mm off", tank->level / 1000, tank->farthest / 1000);
        return false;
    }
    snprintf(report, room, "the level is %.1f mm", tank->level / 1000);
    return true;
}
