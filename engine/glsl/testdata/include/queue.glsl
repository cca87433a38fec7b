#pragma once
#define SLOT_WORDS 16u
#define STATE(s) ring.words[(s) * SLOT_WORDS]
const uint READY = 1u, CLAIMED = 2u, DONE = 3u;

bool claim(uint slot) {
    return atomicCompSwap(STATE(slot), READY, CLAIMED) == READY;
}
