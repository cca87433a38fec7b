// A handler may run as many rounds as its budget.
void endless(inout Task t) {
    uint n = 0u;
    while (n < 100000u) { // finds: loop-budget
        n++;
    }
}

void endless_fixed(inout Task t) {
    uint n = t.continuation_data;
    for (uint i = 0u; i < 100u; i++) {
        n++;
    }
    if (n < 1000u) {
        task_yield(t, 0u, n);
    }
}
