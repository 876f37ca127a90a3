/* What Beryl answers where the suite wants another thread to stand still, to go on, or to end. */
#include "scenes.h"

void show_refused(void) {
    const osThreadId_t ready = osThreadNew(ends_when_told, 0, AT(osPriorityLow));
    const osThreadId_t blocked = osThreadNew(ends_when_told, 0, AT(osPriorityHigh));
    TELL(109, osThreadSuspend(ready));
    TELL(109, osThreadSuspend(blocked));
    TELL(109, osThreadSuspend(osThreadGetId()));
    TELL(109, osThreadSuspend(0));
    TELL(109, osThreadResume(ready));
    TELL(109, osThreadResume(blocked));
    TELL(109, osThreadResume(0));
    TELL(110, osThreadTerminate(ready));
    TELL(110, osThreadGetState(ready));
    TELL(110, osThreadTerminate(blocked));
    TELL(110, osThreadGetState(blocked));
    tell_to_end(blocked);
    tell_to_end(ready);
    TELL(110, osThreadGetState(blocked));
    TELL(110, osThreadGetCount());
}
