#include "cover.c"
#include "gates.c"
#include "rules.c"
#include "sums.c"
