// What the worker knows of the inbox: the bell that it has seen, and the entries that it gives back to the host.
#pragma once
#include "vyretop/state.glsl"

// Whether the bell that was seen last has something new.
bool vt_bell_has_news() {
    return vt_bell.y != vt_seen_commands || vt_bell.z != vt_seen_epochs || int(vt_bell.w - vt_slice) >= 0;
}

// Giving back: when all lanes have read their entries, the last one gives these to the host, and the lock to
// everybody. It waits until what others must see before is seen, and lane 0 continues in the meantime.
#define IMPORT_DIRECT 0x80000000u // the worker runs at once what it imports, as nothing else waits
uint vt_gives_back = 0u;    // 0, or with the lock 1 + what has been imported
shared uint sh_entry;       // number of the first entry of an import

// With the lock, or by the last worker: tells the host how many entries have been read.
void vt_tell_taken(uint taken) {
    sched[SCHED_TASKS_TOLD] = taken;
    outbox[OUT_TASKS_TAKEN] = taken;
}

void vt_give_back() {
    uint n = (vt_gives_back - 1u) & ~IMPORT_DIRECT;
    if (vt_lane == VT_LANES - 1u && vt_gives_back != 0u) {
        bool tells = n != 0u;
#ifdef VT_MIRROR
        // Where the host's memory is far, giving the lock back would wait until the host has this. As long as there
        // is much room, the host need not know.
        tells = tells && (n == vt_gives_back - 1u || sh_entry + n - sched[SCHED_TASKS_TOLD] > VT_INBOX_TASKS / 4u);
#endif
        if (n != 0u) {
            sched[SCHED_TASKS_TAKEN] = sh_entry + n;
        }
        if (tells) {
            vt_tell_taken(sh_entry + n);
        }
        vt_unlock();
    }
    vt_gives_back = 0u;
}
