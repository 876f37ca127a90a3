/* Control: injection, ignition, the governor and its throttle, and what is learnt. */
#include "engine.h"

/* How long an injector opens for a load, ms; corrections are parts of it, the temperature is in Celsius. */
static float pulse_for(float load, float learnt, float trim, float temperature) {
    /* A cold engine needs more: fuel condenses in it. */
    const float cold = limit(0.002f * (60.0f - temperature), 0.0f, 0.2f);
    return limit(FULL_PULSE * load * (1.0f + learnt + trim + cold), 0.0f, 2.0f * FULL_PULSE);
}

void inject(beryl_period *period, fuel_map_lock *map, load_reader *loads, trim_reader *trims, temperature_reader *temperatures,
            pulse_writer *pulse) {
    float load = 0.0f, trim = 0.0f, temperature = 0.0f;
    for (;;) {
        load_read(loads, &load);
        const float learnt = (*fuel_map_enter(map))[quarter(load)];
        fuel_map_leave(map);
        trim_read(trims, &trim);
        temperature_read(temperatures, &temperature);
        const float value = pulse_for(load, learnt, trim, temperature);
        pulse_write(pulse, &value);
        beryl_wait_period(period, 0);
    }
}

/* Closes the loop over the mixture: a PI law that keeps lambda at 1. */
void trim(beryl_period *period, lambda_reader *lambdas, trim_writer *trims) {
    float lambda = 1.0f, sum = 0.0f;
    for (;;) {
        /* Before the first value there is nothing to correct. */
        lambda_read(lambdas, &lambda);
        if (lambda > 0.0f) {
            const float error = lambda - 1.0f;
            sum = limit(sum + 0.02f * error, -0.25f, 0.25f);
            const float value = limit(sum + 0.1f * error, -0.25f, 0.25f);
            trim_write(trims, &value);
        }
        beryl_wait_period(period, 0);
    }
}

/* Degrees of the crank before the top, for a speed (1/min), a load and a correction (degrees). */
static float advance_for(float speed, float load, float correction) {
    return limit(15.0f + 20.0f * speed / RATED_SPEED + 12.0f * (1.0f - load) + correction, 0.0f, 50.0f);
}

void ignite(beryl_period *period, spark_map_lock *map, speed_reader *speeds, load_reader *loads, advance_writer *advance) {
    float speed[2] = {0}, load = 0.0f;
    for (;;) {
        speed_read(speeds, &speed);
        load_read(loads, &load);
        const float correction = (*spark_map_enter(map))[quarter(load)];
        spark_map_leave(map);
        const float value = advance_for(speed[0], load, correction);
        advance_write(advance, &value);
        beryl_wait_period(period, 0);
    }
}

/* Corrects the spark where the engine runs: later if it is hot, so that it doesn't knock; earlier if it is cold. */
void retard(beryl_period *period, spark_map_lock *map, load_reader *loads, temperature_reader *temperatures) {
    float load = 0.0f, temperature = 0.0f;
    for (;;) {
        temperature_read(temperatures, &temperature);
        const float wanted = limit(0.1f * (80.0f - temperature), -6.0f, 6.0f);
        load_read(loads, &load);
        const uint32_t place = quarter(load);
        float(*values)[4] = spark_map_enter(map);
        (*values)[place] += 0.1f * (wanted - (*values)[place]);
        spark_map_leave(map);
        beryl_wait_period(period, 0);
    }
}

/* A PI law for the speed, every 10 ms. What it asks for is load, for torque is nearly proportional to it. */
static const float GAIN = 2.5e-3f, STEP = 0.01f, SUM_GAIN = 1.0f, IDLE_LOAD = 0.15f, STARTED = 900.0f, LEAST = 0.05f, MOST = 0.9f;

static float governed(float *sum, float target, float speed) {
    const float error = target - speed;
    const float answer = GAIN * limit(speed / RATED_SPEED, 0.1f, 1.0f) * error;
    const float wanted = *sum + answer;
    const float load = limit(wanted, LEAST, MOST);
    /* What the engine can't do must not add up. */
    if (wanted == load) {
        *sum += STEP * SUM_GAIN * answer;
    }
    return load;
}

void govern(beryl_period *period, target_reader *targets, speed_reader *speeds, air_writer *air) {
    float target = 0.0f, speed[2] = {0}, sum = IDLE_LOAD;
    for (;;) {
        speed_read(speeds, &speed);
        float value = IDLE_LOAD;
        /* Before the first revolution nobody knows the speed. */
        if (speed[0] > 0.0f) {
            target_read(targets, &target);
            value = governed(&sum, target, speed[0]);
        }
        air_write(air, &value);
        beryl_wait_period(period, 0);
    }
}

/* The plate's command, against its rest, for a load that is wanted at a speed (1/min). */
static float plate_for(float wanted, float speed) {
    const float load = limit(wanted, LEAST, MOST);
    const float open = limit(speed / RATED_SPEED, 0.0f, 1.0f) * load / (1.0f - load);
    return limit(open, 0.0f, 1.0f) - REST;
}

void throttle(beryl_period *period, air_reader *airs, speed_reader *speeds, plate_writer *plate) {
    float air = 0.0f, speed[2] = {0};
    for (;;) {
        air_read(airs, &air);
        speed_read(speeds, &speed);
        /* Without a governor the plate stays where its springs hold it. */
        const float command = air > 0.0f ? plate_for(air, speed[0] > 0.0f ? speed[0] : STARTED) : 0.0f;
        plate_write(plate, &command);
        beryl_wait_period(period, 0);
    }
}
