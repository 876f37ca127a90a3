/* A handler of commands: lines come in blocks of a memory pool, and what became of each is told by flags of an event. */
#include "cmsis_os2.h"

#define TOLD_VALUE 1
#define TOLD_OUTCOME 2
#define DONE UINT32_C(1)
#define REFUSED UINT32_C(2)

static osMemoryPoolId_t blocks;
static osMessageQueueId_t lines;
static osEventFlagsId_t outcome;
static int32_t value;

static bool begins(const char *line, const char *word) {
    while (*word != 0 && *line == *word) {
        line++;
        word++;
    }
    return *word == 0;
}

static bool number(const char *text, int32_t *read) {
    *read = 0;
    const bool is_any = *text >= '0' && *text <= '9';
    for (; *text >= '0' && *text <= '9'; text++) {
        *read = *read * 10 + (*text - '0');
    }
    return is_any && *text == 0;
}

static bool carried_out(const char *line) {
    int32_t operand = 0;
    if (begins(line, "set ") && number(line + 4, &operand)) {
        value = operand;
    } else if (begins(line, "add ") && number(line + 4, &operand)) {
        value += operand;
    } else if (begins(line, "order")) {
        /* A thread of another process gets it, or this waits until there is room. */
        return beryl_mailbox_send(&orders_object, &value, sizeof value, BERYL_FOREVER) == BERYL_SUCCESS;
    } else {
        return false;
    }
    beryl_tell(TOLD_VALUE, (uint32_t)value);
    return true;
}

static void handle(void *argument) {
    (void)argument;
    for (;;) {
        char *line = 0;
        osMessageQueueGet(lines, &line, 0, osWaitForever);
        osEventFlagsSet(outcome, carried_out(line) ? DONE : REFUSED);
        osMemoryPoolFree(blocks, line);
    }
}

/* Who would type. */
static void type(void *argument) {
    (void)argument;
    static const char *const typed[] = {"set 7", "add 35", "sett 1", "order", "add", "add 58", "order"};
    for (uint32_t index = 0; index < sizeof typed / sizeof typed[0]; index++) {
        char *line = osMemoryPoolAlloc(blocks, osWaitForever);
        uint32_t length = 0;
        do {
            line[length] = typed[index][length];
        } while (line[length++] != 0);
        osMessageQueuePut(lines, &line, 0, osWaitForever);
        beryl_tell(TOLD_OUTCOME, osEventFlagsWait(outcome, DONE | REFUSED, osFlagsWaitAny, 20));
        osDelay(4);
    }
    beryl_tell(TOLD_OUTCOME, 100 + osMemoryPoolGetSpace(blocks));
}

int main(void) {
    osKernelInitialize();
    blocks = osMemoryPoolNew(2, 16, 0);
    lines = osMessageQueueNew(2, sizeof(char *), 0);
    outcome = osEventFlagsNew(0);
    osThreadNew(handle, 0, &(osThreadAttr_t){.priority = osPriorityBelowNormal});
    osThreadNew(type, 0, 0);
    return osKernelStart();
}
