// The program that the fuzzed object files begin as: functions, and calls that are inlined in two depths.
#include <stdio.h>

static inline __attribute__((always_inline)) int twice(int number) {
    return number * 2 + printf("a");
}

static inline __attribute__((always_inline)) int thrice(int number) {
    return twice(number) + number;
}

static __attribute__((noinline)) int inner(int number) { return thrice(number) + 1; }

__attribute__((noinline)) int outer(int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += inner(i) + twice(sum);
    return sum;
}

int main(int count, char **arguments) { return outer(count); }
