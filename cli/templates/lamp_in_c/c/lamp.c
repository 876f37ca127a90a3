/* The lamp's task and its setter. A boolean port is a uint8_t, 0 or 1. What they may call is in build/NAME/c. */

void blink_impl(uint8_t *on, uint8_t *next) {
    *on = !*on;
    *next = *on;
}

void set_light(const uint8_t *light) {
    beryl_environment_write(0, light, sizeof *light);
}
