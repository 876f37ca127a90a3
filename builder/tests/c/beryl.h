/* What the kernel and its library offer to functions in C. Written by the builder; changes are lost. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a call came to. BERYL_OWNER_DIED is a success: the semaphore's last owner stopped inside. */
typedef uint32_t beryl_status;
#define BERYL_SUCCESS UINT32_C(0)
#define BERYL_OWNER_DIED UINT32_C(256)
#define BERYL_UNKNOWN_CALL UINT32_C(0xffffffff)
#define BERYL_WRONG_CALLER UINT32_C(0xfffffffe)
#define BERYL_NO_SUCH_OBJECT UINT32_C(0xfffffffd)
#define BERYL_WOULD_BLOCK UINT32_C(0xfffffffc)
#define BERYL_TIMED_OUT UINT32_C(0xfffffffb)
#define BERYL_BAD_ADDRESS UINT32_C(0xfffffffa)
#define BERYL_RAISED UINT32_C(0xfffffff9)
#define BERYL_NOT_OWNER UINT32_C(0xfffffff8)
#define BERYL_DEADLOCK UINT32_C(0xfffffff7)
#define BERYL_OVERFLOW UINT32_C(0xfffffff6)
#define BERYL_TOO_LONG UINT32_C(0xfffffff5)
#define BERYL_PEER_DIED UINT32_C(0xfffffff4)
#define BERYL_NOT_SERVING UINT32_C(0xfffffff3)
#define BERYL_OUT_OF_PLACE UINT32_C(0xfffffff2)
#define BERYL_NO_BITS UINT32_C(0xfffffff1)
#define BERYL_OUT_OF_RANGE UINT32_C(0xfffffff0)
#define BERYL_OVER_LIMIT UINT32_C(0xffffffef)

/* How long to wait: not at all, as long as it takes, or ticks up to BERYL_LONGEST_WAIT. */
typedef uint32_t beryl_wait;
#define BERYL_POLL UINT32_C(0)
#define BERYL_FOREVER UINT32_C(0xffffffff)
#define BERYL_LONGEST_WAIT UINT32_C(1073741824)

/* The releases of a periodic thread. */
typedef struct beryl_period beryl_period;

/* Kernel time in ticks. A job that uses it is no function of its ports any more. */
uint64_t beryl_time(void);

/* The processor time that the calling thread has used, in ticks. */
uint64_t beryl_execution_time(void);

/* In the simulator: uses up so many ticks of processor time. On a board the code itself takes time. */
void beryl_spend(uint64_t ticks);

/* Sleeps until an instant in ticks. */
beryl_status beryl_sleep_until(uint64_t instant);

/* Ends a job of a periodic thread; answers how many releases came meanwhile. */
beryl_status beryl_wait_period(beryl_period *period, uint32_t *missed);

/* Waits for one of some bits of the thread's notifications and interrupts; answers and takes those that are set. */
beryl_status beryl_wait_any(uint32_t bits, beryl_wait wait, uint32_t *set);

/* Lets the next thread of the same priority run. */
void beryl_yield(void);

/* Ends the calling thread for good. */
_Noreturn void beryl_stop(void);

/* Tells something of the application's own to whoever traces the system. */
void beryl_tell(uint16_t event, uint32_t value);

/* Takes the next value of a sensor. Where there is none of this length, the value stays what it was. */
void beryl_environment_read(uint32_t channel, void *value, uint32_t length);

/* Leaves a value for an actuator. */
void beryl_environment_write(uint32_t channel, const void *value, uint32_t length);

/* Prints a text in UTF-8 on the console. */
void beryl_print(const char *text, uint32_t length);

/* Enters the kernel and does nothing there. */
void beryl_null(void);

/* Mathematics with the same bits on every machine; the functions of a C library have others. */
double beryl_acos(double x);
float beryl_acosf(float x);
double beryl_asin(double x);
float beryl_asinf(float x);
double beryl_atan(double x);
float beryl_atanf(float x);
double beryl_cbrt(double x);
float beryl_cbrtf(float x);
double beryl_ceil(double x);
float beryl_ceilf(float x);
double beryl_cos(double x);
float beryl_cosf(float x);
double beryl_cosh(double x);
float beryl_coshf(float x);
double beryl_exp(double x);
float beryl_expf(float x);
double beryl_exp2(double x);
float beryl_exp2f(float x);
double beryl_fabs(double x);
float beryl_fabsf(float x);
double beryl_floor(double x);
float beryl_floorf(float x);
double beryl_log(double x);
float beryl_logf(float x);
double beryl_log2(double x);
float beryl_log2f(float x);
double beryl_log10(double x);
float beryl_log10f(float x);
double beryl_round(double x);
float beryl_roundf(float x);
double beryl_sin(double x);
float beryl_sinf(float x);
double beryl_sinh(double x);
float beryl_sinhf(float x);
double beryl_sqrt(double x);
float beryl_sqrtf(float x);
double beryl_tan(double x);
float beryl_tanf(float x);
double beryl_tanh(double x);
float beryl_tanhf(float x);
double beryl_trunc(double x);
float beryl_truncf(float x);
double beryl_atan2(double x, double y);
float beryl_atan2f(float x, float y);
double beryl_copysign(double x, double y);
float beryl_copysignf(float x, float y);
double beryl_fmax(double x, double y);
float beryl_fmaxf(float x, float y);
double beryl_fmin(double x, double y);
float beryl_fminf(float x, float y);
double beryl_fmod(double x, double y);
float beryl_fmodf(float x, float y);
double beryl_hypot(double x, double y);
float beryl_hypotf(float x, float y);
double beryl_pow(double x, double y);
float beryl_powf(float x, float y);
double beryl_fma(double x, double y, double z);
float beryl_fmaf(float x, float y, float z);

/* A number without what is behind its point. What doesn't fit becomes the nearest that does, and 0 if it is no number; a cast is undefined then. */
int8_t beryl_to_int8(double x);
int16_t beryl_to_int16(double x);
int32_t beryl_to_int32(double x);
int64_t beryl_to_int64(double x);
uint8_t beryl_to_uint8(double x);
uint16_t beryl_to_uint16(double x);
uint32_t beryl_to_uint32(double x);
uint64_t beryl_to_uint64(double x);
