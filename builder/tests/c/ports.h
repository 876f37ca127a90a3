/* Ports of `nested` for native functions in C. Written by the builder; changes are lost. */
#pragma once
#pragma GCC system_header

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "beryl.h"

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE 754, 32 and 64 bits");

typedef struct Point {
    float x;
    float y;
} Point;
_Static_assert(sizeof(Point) == 8, "Point");
_Static_assert(offsetof(Point, x) == 0, "Point.x");
_Static_assert(offsetof(Point, y) == 4, "Point.y");

typedef struct Leg {
    double speed;
    Point ends[2];
    int8_t flags[8];
} Leg;
_Static_assert(sizeof(Leg) == 32, "Leg");
_Static_assert(offsetof(Leg, speed) == 0, "Leg.speed");
_Static_assert(offsetof(Leg, ends) == 8, "Leg.ends");
_Static_assert(offsetof(Leg, flags) == 24, "Leg.flags");

typedef struct Route {
    Leg legs[2];
    Leg back;
    Point goal;
} Route;
_Static_assert(sizeof(Route) == 104, "Route");
_Static_assert(offsetof(Route, legs) == 0, "Route.legs");
_Static_assert(offsetof(Route, back) == 64, "Route.back");
_Static_assert(offsetof(Route, goal) == 96, "Route.goal");

typedef struct Two {
    Route first;
    Point beside[3];
} Two;
_Static_assert(sizeof(Two) == 128, "Two");
_Static_assert(offsetof(Two, first) == 0, "Two.first");
_Static_assert(offsetof(Two, beside) == 104, "Two.beside");

typedef struct Three {
    Two two;
} Three;
_Static_assert(sizeof(Three) == 128, "Three");
_Static_assert(offsetof(Three, two) == 0, "Three.two");

typedef struct Four {
    Three three;
} Four;
_Static_assert(sizeof(Four) == 128, "Four");
_Static_assert(offsetof(Four, three) == 0, "Four.three");

/* Threads by their numbers, which beryl_self answers. */
#define BERYL_THREAD_plan UINT32_C(0)
#define BERYL_THREAD_mixing UINT32_C(1)
#define BERYL_THREADS UINT32_C(4)

/* Task `plan`. */
void plan_impl(const Point *here, Four *deep, Leg (*seen)[3], Route *way);

/* Task `mixing`. */
void mix(uint8_t *b, int8_t (*i)[4], int16_t *s, int64_t *l, uint8_t *default_, float (*f)[3], double *d);

/* Reads a sensor. */
void read_gps(Point *value);

/* A guard. */
bool is_near(const Point *value_1, const Route *value_2);

/* Writes an actuator. */
void show_route(const Route *value);
