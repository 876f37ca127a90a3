/* Semaphores: units that are counted. */
#include "cmsis_inside.h"

CMSIS_SHORT bool is_one(osSemaphoreId_t semaphore) {
    return semaphore != 0 && semaphore->row.is_taken;
}

osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attr) {
    if (most == 0 || initial > most) {
        return 0;
    }
    const char *name = attr == 0 ? 0 : attr->name;
    osSemaphoreId_t made = cmsis_taken(cmsis_semaphores, cmsis_semaphore_count, sizeof cmsis_semaphores[0], name);
    if (made != 0) {
        cmsis_fill(&made->units, most, initial);
    }
    return made;
}

const char *osSemaphoreGetName(osSemaphoreId_t semaphore) {
    return is_one(semaphore) ? semaphore->row.name : 0;
}

osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore, uint32_t timeout) {
    return is_one(semaphore) ? cmsis_take(&semaphore->units, timeout) : osErrorParameter;
}

osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore) {
    if (!is_one(semaphore)) {
        return osErrorParameter;
    }
    return cmsis_give(&semaphore->units) ? osOK : osErrorResource;
}

uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore) {
    return is_one(semaphore) ? semaphore->units.there : 0;
}

osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore) {
    return is_one(semaphore) ? cmsis_delete(&semaphore->row, &semaphore->units, &semaphore->units) : osErrorParameter;
}
