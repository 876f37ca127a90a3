/* Memory pools: made and deleted, asked, all blocks had and given back, in order and at random. */
#include "scenes.h"

#define BLOCKS 4
#define SIZE 32

static osMemoryPoolId_t pool;
static uint64_t control[16], memory[CMSIS_MEMORY_BYTES(1, 4) / 8];

static void show_new(void) {
    const osMemoryPoolAttr_t attributes[3] = {
        {0}, {.name = "pool"}, {.cb_mem = control, .cb_size = sizeof control, .mp_mem = memory, .mp_size = sizeof memory}};
    for (int index = 0; index < 3; index++) {
        pool = osMemoryPoolNew(1, 4, index == 0 ? 0 : &attributes[index]);
        TELL(158, pool != 0);
        TELL(158, osMemoryPoolDelete(pool));
    }
    TELL(158, osMemoryPoolDelete(0));
}

static void show_asked(void) {
    pool = osMemoryPoolNew(BLOCKS, SIZE, 0);
    void *block = osMemoryPoolAlloc(pool, 10);
    TELL(159, block != 0);
    TELL(159, osMemoryPoolGetCapacity(pool));
    TELL(159, osMemoryPoolGetBlockSize(pool));
    TELL(159, osMemoryPoolGetCount(pool));
    TELL(159, osMemoryPoolGetSpace(pool));
    TELL(159, osMemoryPoolFree(0, block));
    TELL(159, osMemoryPoolFree(pool, 0));
    TELL(159, osMemoryPoolFree(pool, block));
    block = osMemoryPoolAlloc(pool, 0);
    TELL(159, block != 0);
    TELL(159, osMemoryPoolDelete(pool));
    TELL(159, osMemoryPoolAlloc(0, 0) == 0);
    TELL(159, osMemoryPoolGetCapacity(0) + osMemoryPoolGetBlockSize(0) + osMemoryPoolGetCount(0) + osMemoryPoolGetSpace(0));
}

/* Twice: what is given back the first time, and written to, is had again. */
static void show_all(void) {
    uint8_t *blocks[BLOCKS];
    pool = osMemoryPoolNew(BLOCKS, SIZE, 0);
    for (int round = 0; round < 2; round++) {
        uint32_t right = 0;
        for (uint32_t index = 0; index < BLOCKS; index++) {
            blocks[index] = osMemoryPoolAlloc(pool, 0);
            right += blocks[index] != 0 && osMemoryPoolGetCount(pool) == index + 1 && osMemoryPoolGetSpace(pool) == BLOCKS - index - 1;
            __builtin_memset(blocks[index], 0xAA, SIZE);
        }
        TELL(160, right);
        TELL(160, osMemoryPoolAlloc(pool, 0) == 0);
        for (uint32_t index = 0; index < BLOCKS; index++) {
            right += osMemoryPoolFree(pool, blocks[index]) == osOK && osMemoryPoolGetCount(pool) == BLOCKS - index - 1;
        }
        TELL(160, right);
        TELL(160, osMemoryPoolGetSpace(pool));
    }
    TELL(160, osMemoryPoolDelete(pool));
}

/* The seed is the same in each run: 2463534242. */
static uint32_t random_bits(void) {
    static uint32_t state = UINT32_C(2463534242);
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* For each block a bit says whether it is to be had or to be free. */
static void show_at_random(void) {
    void *blocks[BLOCKS] = {0};
    uint32_t had = 0, given = 0, wrong = 0;
    pool = osMemoryPoolNew(BLOCKS, SIZE, 0);
    for (int round = 0; round < 512; round++) {
        /* After the last round all are free. */
        const uint32_t wanted = round == 511 ? 0 : random_bits();
        for (uint32_t index = 0; index < BLOCKS; index++) {
            const bool is_wanted = (wanted >> index & 1) != 0;
            if (is_wanted && blocks[index] == 0) {
                blocks[index] = osMemoryPoolAlloc(pool, 0);
                had++;
                wrong += blocks[index] == 0;
            } else if (!is_wanted && blocks[index] != 0) {
                wrong += osMemoryPoolFree(pool, blocks[index]) != osOK;
                blocks[index] = 0;
                given++;
            }
        }
    }
    TELL(161, had > 0 && had == given);
    TELL(161, wrong);
    TELL(161, osMemoryPoolDelete(pool));
}

void show_blocks(void) {
    show_new();
    show_asked();
    show_all();
    show_at_random();
}
