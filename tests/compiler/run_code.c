/* Runs machine code on values, for tests of code for another processor: run_code CODE < values > results.
   Fails if the code changes a register that belongs to its caller. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void function(void *values, void *segments, int64_t count);

static char *read_all(FILE *file, size_t *size) {
    size_t room = 1 << 20;
    char *data = aligned_alloc(64, room);
    *size = 0;
    for (size_t got; (got = fread(data + *size, 1, room - *size, file)) > 0;) {
        *size += got;
        if (*size == room) {
            char *larger = aligned_alloc(64, 2 * room);
            memcpy(larger, data, room);
            free(data);
            data = larger;
            room *= 2;
        }
    }
    return data;
}

int main(int count, char **arguments) {
    size_t code_size, size;
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    char *code = read_all(file, &code_size);
    char *values = read_all(stdin, &size);
    void *memory = mmap(NULL, code_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 3;
    memcpy(memory, code, code_size);
    __builtin___clear_cache(memory, (char *)memory + code_size);
    if (mprotect(memory, code_size, PROT_READ | PROT_EXEC)) return 3;

    register double d8 asm("d8") = 8.25, d9 asm("d9") = 9.25, d10 asm("d10") = 10.25, d11 asm("d11") = 11.25;
    register double d12 asm("d12") = 12.25, d13 asm("d13") = 13.25, d14 asm("d14") = 14.25, d15 asm("d15") = 15.25;
    asm volatile("" : "+w"(d8), "+w"(d9), "+w"(d10), "+w"(d11), "+w"(d12), "+w"(d13), "+w"(d14), "+w"(d15));
    ((function *)memory)(values, NULL, 0);
    asm volatile("" : "+w"(d8), "+w"(d9), "+w"(d10), "+w"(d11), "+w"(d12), "+w"(d13), "+w"(d14), "+w"(d15));
    if (d8 != 8.25 || d9 != 9.25 || d10 != 10.25 || d11 != 11.25) return 4;
    if (d12 != 12.25 || d13 != 13.25 || d14 != 14.25 || d15 != 15.25) return 4;
    return fwrite(values, 1, size, stdout) == size ? 0 : 5;
}
