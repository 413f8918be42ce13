/* Runs sections of lanes for AArch64 on given rows, request after request on standard input until its end.

   A request is four 64-bit words (the bytes of code, the rows, the section's place in the code, an unused one), the code
   and the rows; the answer is how many of the registers d8 ... d15 and x19 ... x28 the section changed, which belong to
   its caller, and the rows after it. All numbers are little-endian. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int take(void *where, size_t size) { return fread(where, 1, size, stdin) == size; }

/* Calls the section with known values in the registers that belong to its caller. */
static int changed(void *section, void *values) {
    double held[8];
    uint64_t kept[6];
    register void *target asm("x19") = section;
    register void *argument asm("x20") = values;
    register double *floats asm("x21") = held;
    register uint64_t *words asm("x22") = kept;
    asm volatile(
        "fmov d8, #1.0\n fmov d9, #2.0\n fmov d10, #3.0\n fmov d11, #4.0\n"
        "fmov d12, #5.0\n fmov d13, #6.0\n fmov d14, #7.0\n fmov d15, #8.0\n"
        "mov x23, #23\n mov x24, #24\n mov x25, #25\n mov x26, #26\n mov x27, #27\n mov x28, #28\n"
        "mov x0, x20\n blr x19\n"
        "stp d8, d9, [x21]\n stp d10, d11, [x21, #16]\n stp d12, d13, [x21, #32]\n stp d14, d15, [x21, #48]\n"
        "stp x23, x24, [x22]\n stp x25, x26, [x22, #16]\n stp x27, x28, [x22, #32]\n"
        : "+r"(target), "+r"(argument), "+r"(floats), "+r"(words)
        :
        : "memory", "cc", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
          "x15", "x16", "x17", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5",
          "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
          "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
    int count = (void *)target != section || (void *)argument != values;
    for (int i = 0; i < 8; i++) count += held[i] != i + 1;
    for (int i = 0; i < 6; i++) count += kept[i] != (uint64_t)(23 + i);
    return count;
}

int main(void) {
    uint64_t head[4];
    while (take(head, sizeof head)) {
        size_t size = head[0], bytes = head[1] * 64;
        char *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char *values = aligned_alloc(64, bytes);
        if (code == MAP_FAILED || !values || !take(code, size) || !take(values, bytes)) return 1;
        __builtin___clear_cache(code, code + size);
        if (mprotect(code, size, PROT_READ | PROT_EXEC)) return 2;
        uint64_t count = changed(code + head[2], values);
        fwrite(&count, 1, sizeof count, stdout);
        fwrite(values, 1, bytes, stdout);
        fflush(stdout);
        munmap(code, size);
        free(values);
    }
    return 0;
}
