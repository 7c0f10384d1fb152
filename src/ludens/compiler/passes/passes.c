#include "cover.c"
#include "gates.c"
