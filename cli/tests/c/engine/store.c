/* What is learnt, who says what may be, and who keeps it. */
#include "engine.h"

enum { WORDS = 256, SUM = 0, COUNT = 1, ENTRIES = 2, ENTRY = 4 };

static uint32_t word(learnt_region *store, uint32_t place) {
    uint32_t value = 0;
    learnt_load(store, place * 4, &value);
    return value;
}

/* Changes a word, and the sum with it. */
static void set(learnt_region *store, uint32_t place, uint32_t value) {
    learnt_store(store, SUM * 4, word(store, SUM) - word(store, place) + value);
    learnt_store(store, place * 4, value);
}

/* Adds an entry; the oldest makes room. */
static void add(learnt_region *store, const float (*values)[ENTRY]) {
    const uint32_t count = word(store, COUNT);
    const uint32_t place = ENTRIES + count % ((WORDS - ENTRIES) / ENTRY) * ENTRY;
    set(store, COUNT, count + 1);
    for (uint32_t number = 0; number < ENTRY; number++) {
        const union {
            float value;
            uint32_t bits;
        } entry = {(*values)[number]};
        set(store, place + number, entry.bits);
    }
}

/* Moves what the mixture's loop trims into the map, where the engine runs, and leaves the map in the store. */
void adapt(beryl_period *period, fuel_map_lock *map, load_reader *loads, trim_reader *trims, calibration_client *parameters,
           store_semaphore *exclusion, learnt_region *store) {
    float load = 0.0f, trim = 0.0f;
    for (;;) {
        const int32_t asked = CORRECTIONS;
        float bounds[2];
        if (calibration_call(parameters, &asked, &bounds, BERYL_FOREVER) != BERYL_SUCCESS) {
            bounds[0] = bounds[1] = 0.0f;
        }
        load_read(loads, &load);
        const uint32_t place = quarter(load);
        trim_read(trims, &trim);
        const float step = 0.1f * trim;
        float corrections[4];
        float(*values)[4] = fuel_map_enter(map);
        (*values)[place] = limit((*values)[place] + step, bounds[0], bounds[1]);
        for (uint32_t number = 0; number < 4; number++) {
            corrections[number] = (*values)[number];
        }
        fuel_map_leave(map);
        const beryl_status came = store_wait_period(exclusion, period, 0);
        if (came == BERYL_OWNER_DIED) {
            for (uint32_t number = 0; number < WORDS; number++) {
                learnt_store(store, number * 4, 0);
            }
        }
        if (came == BERYL_SUCCESS || came == BERYL_OWNER_DIED) {
            add(store, &corrections);
            store_signal(exclusion);
        }
    }
}

/* Answers what a parameter is; one that doesn't exist allows nothing. */
void calibrate(calibration_server *parameters) {
    static const float known[2][2] = {{-0.2f, 0.2f}, {-50.0f, 50.0f}};
    static const float nothing[2] = {0.0f, 0.0f};
    int32_t index;
    beryl_status came = calibration_receive(parameters, &index, BERYL_FOREVER);
    while (came == BERYL_SUCCESS) {
        came = calibration_reply(parameters, index >= 0 && index < 2 ? &known[index] : &nothing, &index);
    }
}

/* The usual CRC-32, bit by bit: slow, and so are those who wait for the store. */
static uint32_t add_to_checksum(uint32_t checksum, uint32_t value) {
    uint32_t rest = checksum ^ value;
    for (int bit = 0; bit < 32; bit++) {
        rest = rest >> 1 ^ ((rest & 1) == 1 ? UINT32_C(0xEDB88320) : 0);
    }
    return rest;
}

/* Keeps the store: makes its checksum, as one does before writing it where it lasts. */
void keep(beryl_period *period, store_semaphore *exclusion, learnt_region *store, notes_sender *notes) {
    for (;;) {
        const beryl_status came = store_wait(exclusion, BERYL_FOREVER);
        if (came == BERYL_SUCCESS || came == BERYL_OWNER_DIED) {
            const uint32_t count = word(store, COUNT);
            beryl_spend(BERYL_MS(1));
            uint32_t sum = 0, checksum = UINT32_MAX;
            for (uint32_t place = COUNT; place < WORDS; place++) {
                const uint32_t value = word(store, place);
                sum += value;
                checksum = add_to_checksum(checksum, value);
            }
            const bool is_whole = sum == word(store, SUM);
            store_signal(exclusion);
            const int32_t note[6] = {KEPT, milliseconds(), (int32_t)count, is_whole ? (int32_t)~checksum : 0, is_whole, 0};
            notes_send(notes, &note, BERYL_FOREVER);
        }
        beryl_wait_period(period, 0);
    }
}
