/* Sensing: from the wires to values that others read. */
#include "engine.h"

enum { PRESSURE, LAMBDA, TEMPERATURE, LEVER };

static const float IDLE = 1000.0f, MOST_SPEED = 3000.0f, RAMP = 40.0f, APPROACH = 0.1f;

void sample(beryl_period *period, wires_reader *wires, load_writer *load) {
    float latest[4] = {0}, smoothed = 0.0f;
    for (;;) {
        wires_read(wires, &latest);
        smoothed += 0.25f * (latest[PRESSURE] - smoothed);
        const float value = limit(smoothed, 0.0f, 1.0f);
        load_write(load, &value);
        beryl_wait_period(period, 0);
    }
}

void mixture(beryl_period *period, wires_reader *wires, lambda_writer *lambda) {
    float latest[4] = {1.0f, 1.0f, 1.0f, 1.0f}, smoothed = 1.0f;
    for (;;) {
        wires_read(wires, &latest);
        smoothed += 0.5f * (latest[LAMBDA] - smoothed);
        const float value = limit(smoothed, 0.5f, 2.0f);
        lambda_write(lambda, &value);
        beryl_wait_period(period, 0);
    }
}

void thermometer(beryl_period *period, wires_slow_reader *wires, temperature_writer *temperature) {
    for (;;) {
        float latest[4];
        if (wires_read_slow(wires, &latest) == BERYL_SUCCESS) {
            const float value = limit(latest[TEMPERATURE], -40.0f, 150.0f);
            temperature_write(temperature, &value);
        }
        beryl_wait_period(period, 0);
    }
}

/* The next target on the way to what the lever asks for, 1/min: straight, then ever slower. */
static float approach(float aim, float asked) {
    const float left = limit(asked, IDLE, MOST_SPEED) - aim;
    return aim + limit(APPROACH * left, -RAMP, RAMP);
}

void lever(beryl_period *period, wires_reader *wires, target_writer *target) {
    float latest[4] = {IDLE, IDLE, IDLE, IDLE}, aim = IDLE;
    for (;;) {
        wires_read(wires, &latest);
        aim = approach(aim, latest[LEVER]);
        target_write(target, &aim);
        beryl_wait_period(period, 0);
    }
}
