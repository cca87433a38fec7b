// Pages of files, for handlers and for the operation LOAD_MISS (megakernel/page.go says what is where). Like a
// workload's handlers, and unlike the rest of the kernel, they count their loops against the activation's budget.
//
//   uint at = page_hold(page, PAGE_NONE); // first word of the page in io_words, or PAGE_NONE
//   if (at == PAGE_NONE) { page_wait(t, pc, data); return; }
//   … io_words[at] …
//   page_drop(page);                      // in the same activation
//
// Instead of the second PAGE_NONE another page may stand, which is read ahead of need.
//
// A page that is not there is read by the host; page_wait pauses the task until then, or faults it when the
// page cannot be had. Handlers hold one page at a time, otherwise two tasks could wait for each other.
#pragma once
#include "vyretop/worker.glsl"

#define PAGE_NONE 0xFFFFFFFFu
#define PAGE_LOCKED 0xFFFFFFFFu // owner of a frame that somebody is about to take
#define PAGE_STATES 7u

// Why the last page_hold did not get its page, for page_wait.
uint vt_page_resume = 0u; // an epoch begins when it is worth another try
uint vt_page_fault = 0u;  // or it never will be
bool vt_page_soon = false; // or it will be soon

uint vt_page_record(uint page) { return VT_PAGER + PAGER_RECORDS + page * PAGE_RECORD_WORDS; }

uint page_bytes(uint page) { return io_words[IO_PAGES + page * PAGE_WORDS + PAGE_BYTES]; }

// The next epoch: tasks that wait for it continue when the workers have looked at what waits.
void vt_next_epoch() {
    control[CTRL_EPOCH] = atomicAdd(sched[SCHED_EPOCH], 1u) + 1u;
    vt_call_attention();
}

// A frame or a slot of the queue can be had now: wakes those who found none. Who finds none says so and
// looks again, and this comes after the frame or slot is free, so one of the two sees the other.
void vt_page_feed() {
    memoryBarrierBuffer();
    if (sched[VT_PAGER + PAGER_STARVED] != 0u && atomicExchange(sched[VT_PAGER + PAGER_STARVED], 0u) != 0u) {
        vt_next_epoch();
    }
}

void vt_page_free_frame(uint frame) {
    sched[VT_PAGER + PAGER_OWNERS + frame] = 0u;
    memoryBarrierBuffer();
    atomicAdd(sched[VT_PAGER + PAGER_TAKEN], 0xFFFFFFFFu);
}

// Looks whether the host has answered the request for a page, and if so makes the page resident or failed.
// False: it has not. The task that makes a loading page busy continues alone; until then the page may get further
// without us, even be asked for again, so the answer is looked at twice.
bool vt_page_settle(uint page) {
    uint record = vt_page_record(page);
    uint word = sched[record];
    uint at = sched[record + PAGE_SLOT] * IO_WORDS;
    if ((word & PAGE_STATES) != PAGE_LOADING) {
        return true;
    }
    if (io_words[at + IO_STATUS] < IO_OK) {
        return false;
    }
    if (atomicCompSwap(sched[record], word, PAGE_BUSY) != word) {
        return true;
    }
    at = sched[record + PAGE_SLOT] * IO_WORDS;
    uint status = io_words[at + IO_STATUS];
    if (status < IO_OK) {
        sched[record] = word;
        return false;
    }
    memoryBarrierBuffer();
    if (status != IO_OK) {
        vt_page_free_frame(sched[record + PAGE_FRAME]);
        sched[record + PAGE_FRAME] = io_words[at + IO_BYTES];
        word = PAGE_FAILED;
    }
    io_words[at + IO_STATUS] = IO_EMPTY;
    memoryBarrierBuffer();
    sched[record] = word == PAGE_FAILED ? word : word - PAGE_LOADING + PAGE_RESIDENT;
    vt_page_feed();
    return true;
}

// Settles whatever the host has answered: pages that were asked for ahead of need have no task that waits.
void vt_page_settle_all() {
    for (uint slot = 0u; slot < IO_SLOTS; ++slot) {
        uint page = io_words[slot * IO_WORDS + IO_TAG];
        if (io_words[slot * IO_WORDS + IO_STATUS] >= IO_OK && page < sched[VT_PAGER + PAGER_PAGES]) {
            vt_page_settle(page);
        }
    }
}

// Takes a frame for a page: one without a page, or, when all have one, one whose page no task holds.
uint vt_page_take_frame(uint page) {
    uint frames = sched[VT_PAGER + PAGER_FRAMES];
    uint first = atomicAdd(sched[VT_PAGER + PAGER_HAND], 1u);
    bool full = sched[VT_PAGER + PAGER_TAKEN] >= frames;
    for (uint i = 0u; i < frames; ++i) {
        uint frame = (first + i) % frames;
        uint at = VT_PAGER + PAGER_OWNERS + frame;
        uint owner = sched[at];
        bool idle = owner == 0u || full && owner != PAGE_LOCKED && sched[vt_page_record(owner - 1u)] == PAGE_RESIDENT;
        if (!idle || atomicCompSwap(sched[at], owner, PAGE_LOCKED) != owner) {
            continue;
        }
        if (owner == 0u || atomicCompSwap(sched[vt_page_record(owner - 1u)], PAGE_RESIDENT, PAGE_ABSENT) == PAGE_RESIDENT) {
            atomicAdd(sched[VT_PAGER + PAGER_TAKEN], owner == 0u ? 1u : 0u);
            sched[at] = page + 1u;
            return frame;
        }
        sched[at] = owner;
    }
    return PAGE_NONE;
}

// Takes an empty slot of the IO queue. A slot is claimed when the host works on its request; nothing
// else touches such a slot.
uint vt_page_take_slot(uint page) {
    for (uint i = 0u; i < IO_SLOTS; ++i) {
        uint slot = (page + i) % IO_SLOTS;
        uint at = slot * IO_WORDS + IO_STATUS;
        if (io_words[at] == IO_EMPTY && atomicCompSwap(io_words[at], IO_EMPTY, IO_CLAIMED) == IO_EMPTY) {
            return slot;
        }
    }
    return PAGE_NONE;
}

void vt_page_publish(uint page, uint frame, uint slot) {
    uint from = IO_PAGES + page * PAGE_WORDS;
    uint at = slot * IO_WORDS;
    io_words[at + IO_OP] = IO_READ;
    io_words[at + IO_SRC] = io_words[from + PAGE_SOURCE];
    io_words[at + IO_DST] = frame;
    io_words[at + IO_OFFSET_LO] = io_words[from + PAGE_OFFSET_LO];
    io_words[at + IO_OFFSET_HI] = io_words[from + PAGE_OFFSET_HI];
    io_words[at + IO_BYTES] = io_words[from + PAGE_BYTES];
    io_words[at + IO_TAG] = page;
    memoryBarrierBuffer();
    io_words[at + IO_STATUS] = IO_PUBLISHED;
}

// Asks the host for a page that the caller has made busy; when there is no frame or no slot, it is absent again.
void vt_page_request(uint page, uint record, uint fresh) {
    uint frame = PAGE_NONE;
    uint slot = PAGE_NONE;
    for (uint i = 0u; i < 2u && slot == PAGE_NONE; ++i) {
        if (i == 1u) {
            sched[VT_PAGER + PAGER_STARVED] = 1u;
            memoryBarrierBuffer();
            vt_page_settle_all();
        }
        frame = frame == PAGE_NONE ? vt_page_take_frame(page) : frame;
        slot = frame != PAGE_NONE ? vt_page_take_slot(page) : PAGE_NONE;
    }
    if (slot != PAGE_NONE) {
        sched[record + PAGE_FRAME] = frame;
        sched[record + PAGE_SLOT] = slot;
        vt_page_publish(page, frame, slot);
    } else if (frame != PAGE_NONE) {
        vt_page_free_frame(frame);
    }
    memoryBarrierBuffer();
    sched[record] = slot != PAGE_NONE ? PAGE_LOADING | fresh : PAGE_ABSENT;
}

// Gets a page, or has it read; with `hold` the caller holds it if it is there.
uint vt_page_ask(uint page, bool hold) {
    vt_page_resume = vt_epoch() + 1u; // before anything that may make the task wait
    vt_page_fault = page < sched[VT_PAGER + PAGER_PAGES] ? 0u : FAULT_PAGE;
    vt_page_soon = true;
    uint record = vt_page_record(page);
    bool look = vt_page_fault == 0u;
    bool request = false;
    uint found = PAGE_NONE;
    for (uint i = 0u; i < 4u && look; ++i) {
        uint word = sched[record];
        uint state = word & PAGE_STATES;
        if (state == PAGE_ABSENT) {
            request = atomicCompSwap(sched[record], PAGE_ABSENT, PAGE_BUSY) == PAGE_ABSENT;
            look = !request;
        } else if (state == PAGE_LOADING) {
            look = vt_page_settle(page);
            vt_page_soon = look;
        } else if (state == PAGE_FAILED) {
            vt_page_fault = sched[record + PAGE_FRAME];
            look = false;
        } else if (!hold) {
            look = false;
        } else if (state == PAGE_RESIDENT && atomicCompSwap(sched[record], word, (word & ~PAGE_FRESH) + PAGE_HOLD) == word) {
            found = sched[VT_PAGER + PAGER_FRAME0] + sched[record + PAGE_FRAME] * sched[VT_PAGER + PAGER_FRAME_WORDS];
            memoryBarrierBuffer();
            look = false;
        }
    }
    if (request) { // behind the loop: its own loops would cost for each round
        vt_page_request(page, record, hold ? PAGE_FRESH : 0u);
        vt_page_soon = false;
    }
    return found;
}

// Holds a page; if it is there, another one may be read ahead of need.
uint page_hold(uint page, uint ahead) {
    uint found = PAGE_NONE;
    for (uint i = 0u; i < 2u; ++i) { // one call of what drivers inline
        uint at = vt_page_ask(i == 0u ? page : ahead, i == 0u);
        found = i == 0u ? at : found;
        if (found == PAGE_NONE || ahead == PAGE_NONE) {
            break;
        }
    }
    return found;
}

void page_drop(uint page) {
    memoryBarrierBuffer();
    if (atomicAdd(sched[vt_page_record(page)], 0u - PAGE_HOLD) - PAGE_HOLD == PAGE_RESIDENT) {
        vt_page_feed();
    }
}

// Ends the activation of a task that did not get its page.
void page_wait(inout Task t, uint pc, uint data) {
    if (vt_page_fault != 0u) {
        task_fault(t, vt_page_fault);
    } else if (vt_page_soon) {
        task_yield(t, pc, data);
    } else {
        task_pause_for(t, WAIT_IO, vt_page_resume, pc, data);
    }
}
