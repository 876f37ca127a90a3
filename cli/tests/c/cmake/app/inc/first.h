/* What the target's files see first. */
enum { FIRST = 7 };
