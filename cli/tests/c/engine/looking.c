/* Who looks for trouble, and who tells how the engine runs. */
#include "engine.h"

static const float FASTEST = 3200.0f, MOST_MIXTURE = 0.25f, MOST_HEAT = 105.0f, MOST_ROUGHNESS = 0.3f;

/* Tells what begins. It never waits: if nobody listens, it tells again next time. */
void monitor(beryl_period *period, speed_slow_reader *speeds, lambda_reader *lambdas, temperature_reader *temperatures,
             roughness_reader *roughnesses, notes_sender *notes) {
    float lambda = 1.0f, temperature = 0.0f, roughness = 0.0f;
    bool told[4] = {false};
    for (;;) {
        float speed[2];
        if (speed_read_slow(speeds, &speed) != BERYL_SUCCESS) {
            speed[0] = speed[1] = 0.0f;
        }
        /* The first revolutions begin somewhere. */
        const bool is_running = speed[1] > 50.0f;
        lambda_read(lambdas, &lambda);
        temperature_read(temperatures, &temperature);
        if (is_running) {
            roughness_read(roughnesses, &roughness);
        }
        const bool found[4] = {
            speed[0] > FASTEST,
            is_running && !(lambda >= 1.0f - MOST_MIXTURE && lambda < 1.0f + MOST_MIXTURE),
            temperature > MOST_HEAT,
            is_running && roughness > MOST_ROUGHNESS,
        };
        for (int32_t number = 0; number < 4; number++) {
            const int32_t note[6] = {TROUBLE, milliseconds(), number, 0, 0, 0};
            told[number] = found[number] && (told[number] || notes_send(notes, &note, BERYL_POLL) == BERYL_SUCCESS);
        }
        beryl_wait_period(period, 0);
    }
}

void report(beryl_period *period, speed_slow_reader *speeds, target_reader *targets, lambda_reader *lambdas,
            calibration_client *parameters, notes_sender *notes) {
    float target = 0.0f, lambda = 1.0f;
    for (;;) {
        float speed[2], bounds[2];
        if (speed_read_slow(speeds, &speed) != BERYL_SUCCESS) {
            speed[0] = 0.0f;
        }
        target_read(targets, &target);
        lambda_read(lambdas, &lambda);
        const int32_t asked = TOLERANCE;
        if (calibration_call(parameters, &asked, &bounds, BERYL_FOREVER) != BERYL_SUCCESS) {
            bounds[0] = bounds[1] = 0.0f;
        }
        const float error = speed[0] - target;
        const bool is_held = bounds[0] <= error && error <= bounds[1];
        const int32_t note[6] = {STATUS,
                                 milliseconds(),
                                 beryl_to_int32(speed[0]),
                                 beryl_to_int32(target),
                                 beryl_to_int32(1000.0f * lambda),
                                 is_held};
        notes_send(notes, &note, BERYL_FOREVER);
        beryl_wait_period(period, 0);
    }
}
