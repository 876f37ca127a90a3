/* Numbers within limits. */
static inline int32_t limited(int64_t value, int32_t most) {
    return (int32_t)(value < -most ? -most : value > most ? most : value);
}
