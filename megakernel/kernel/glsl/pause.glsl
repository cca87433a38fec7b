// How a worker obeys a pause, of all workers or of itself alone, and takes the steps that it is given in the meantime.
#pragma once
#include "vyretop/deferred.glsl"

shared uint sh_keep; // where to keep the words of the slot that is stepped, or 0
shared uint sh_keep_slot;

// Counts this worker to the current pause of all, if there still is one, and answers it as the last one.
void vt_arrive(uint wc) {
    uint word = atomicAdd(sched[SCHED_PAUSE_ALL], 1u);
    // A worker for which the device has no room yet has not started; it will obey before it claims.
    uint started = sched[SCHED_STARTED];
    uint owed = sched[SCHED_PAUSE_OWED]; // by a resume: 0; of a later pause: that one's
    uint all = vt_pause_in(word);
    if (all == 0u) {
        return;
    }
    sched[wc + WC_ARRIVED] = all;
    bool last = word - all + 1u >= started;
    if (last && owed != 0u && vt_pause_of_command(owed - 1u) == all && atomicCompSwap(sched[SCHED_PAUSE_OWED], owed, 0u) == owed) {
        vt_ack(owed - 1u, ACK_APPLIED, vt_worker, vt_workers_now);
    }
}

// Obeys a pause and answers it when it has taken effect. Returns how many tasks this worker may have.
uint vt_allowance() {
    if (vt_step_phase == STEP_RUN) {
        return 1u; // the task is claimed, and must run
    }
    vt_step_phase = STEP_NONE;
    uint wc = SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS;
    uint all = vt_pause(); // as in vt_read_mail
    uint pause = sched[wc + WC_PAUSE];
    uint steps = sched[wc + WC_STEPS];
    uint request = sched[wc + WC_REQUEST];
    uint arrived = sched[wc + WC_ARRIVED];
    if (all == 0u && pause == 0u) {
        return vt_lanes_now;
    }
    if (request != 0u) { // it was written after the steps
        memoryBarrierBuffer();
        steps = sched[wc + WC_STEPS];
    }
    uint record = vt_worker * WORKER_WORDS;
    workers[record + WK_STATE] = WORKER_PAUSED;
    workers[record + WK_STEPS_LEFT] = steps;
    if (vt_answer != 0u || sh_owed != 0u || sh_job != JOB_NONE || sh_keep != 0u) {
        vt_attention--; // once more: one answer a pass, and after everything is settled and kept
        return 0u;
    }
    if (all != 0u && arrived != all) {
        vt_arrive(wc);
        vt_attention--;
    } else if (steps != 0u && request == 0u) {
        vt_attention--; // the command has got half here
    } else if (steps != 0u) {
        vt_step_phase = max(vt_step_phase, STEP_CLAIM);
        vt_step_request = request;
        return 1u;
    } else if (request != 0u && atomicCompSwap(sched[wc + WC_REQUEST], request, 0u) == request) {
        vt_ack(request - 1u, ACK_APPLIED, vt_worker, workers[record + WK_STEP_SLOT]);
    }
    return 0u;
}

// Counts a step that has been run to the command that it was run for. A resume may have taken back the steps that
// were left, and a later command may have given others.
void vt_count_step() {
    uint wc = SCHED_WORKER0 + vt_worker * WORKER_CONTROL_WORDS;
    uint steps = sched[wc + WC_STEPS];
    if (steps != 0u && sched[wc + WC_REQUEST] == vt_step_request) {
        atomicCompSwap(sched[wc + WC_STEPS], steps, steps - 1u);
    }
}

// Lane 0: moves a step on. The task was claimed, and then it has run.
void vt_step_on() {
    sh_keep = 0u;
    if (vt_step_phase == STEP_CLAIM && vt_step_bits != 0u) {
        sh_bits[0] = vt_step_bits;
#if VT_CLAIMERS > 1
        sh_filled = 1u;
#endif
        sh_from = VT_NONE;
        sh_keep_slot = sh_leaf[0] * 32u + uint(findLSB(vt_step_bits));
        sh_keep = WK_STEP_BEFORE;
        vt_step_phase = STEP_RUN;
    } else if (vt_step_phase == STEP_RUN) {
        sh_keep = WK_STEP_AFTER;
        vt_count_step();
        workers[vt_worker * WORKER_WORDS + WK_STEP_SLOT] = sh_keep_slot + 1u;
        vt_step_phase = STEP_NONE;
    }
    vt_step_bits = 0u;
}

// Keeps the words of the slot that is being stepped in the worker's record, all lanes together.
void vt_keep_words() {
    uint at = vt_worker * WORKER_WORDS + sh_keep;
    for (uint i = vt_lane; vt_step(1u) && i < SLOT_WORDS && sh_keep != 0u; i += VT_LANES) {
        workers[at + i] = ring[sh_keep_slot * 4u + (i >> 2u)][i & 3u];
    }
}
