/* What the files of the engine's controller share, as `examples/engine/app` has it in Rust: the same arithmetic, in the same order. */
#pragma once

/* The highest speed that the engine is made for, 1/min; where the throttle's springs hold it; a full load's pulse, ms. */
#define RATED_SPEED 5000.0f
#define REST 0.2f
#define FULL_PULSE 10.0f

/* Parameters of the calibration. */
enum { CORRECTIONS = 0, TOLERANCE = 1 };

/* What notes are about. */
enum { STATUS = 0, TROUBLE = 1, KEPT = 2 };

/* What is no number becomes the least. */
static inline float limit(float value, float least, float most) {
    return value < least ? least : value > most ? most : value == value ? value : least;
}

/* The quarter in which a load lies. */
static inline uint32_t quarter(float load) {
    return (uint32_t)(limit(load, 0.0f, 0.99f) * 4.0f);
}

/* Milliseconds since the start. */
static inline int32_t milliseconds(void) {
    const uint64_t passed = beryl_time() / BERYL_MS(1);
    return passed > INT32_MAX ? INT32_MAX : (int32_t)passed;
}
