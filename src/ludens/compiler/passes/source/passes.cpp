// Passes over hundreds of thousands of gates. `make bitcode` compiles this file to passes.bc, which Python loads
// (ludens.compiler.passes.library).
#include "gates.hpp"

#include "registers.hpp"
#include "rules.hpp"
#include "sums.hpp"

int64_t out_of_memory;

// A mark of the sources, by which a test sees whether passes.bc is up to date.
extern "C" const char ludens_sources[];
const char ludens_sources[] = SOURCES;
