/* The pause of all workers: vt_pause_all, vt_resume_all and vt_overtake of command.glsl, vt_arrive and
 * vt_allowance of pause.glsl, vt_serve of serve.glsl, vt_try_lock and vt_unlock of poll.glsl.
 *
 * WORKERS workers serve and, where they may, run a lap. The host gives COMMANDS commands, each to pause or to let
 * go on, or both in turns (IN_TURNS), whatever was answered before.
 *
 * Checked: when the last worker to arrive answers a pause, nobody runs a lap; when all have arrived, it is
 * answered; each command is answered once.
 *
 * SCHED_PAUSE_ALL is two bytes here, which each atomic touches both: the pause, and the workers that have paused.
 *
 * Mutations, which must be found: LATE_COUNT has a worker count itself to whichever pause there is by then as the one
 * it has read of before, so that it counts twice; RUNS_FIRST lets a worker arrive before its lap ends; NO_OVERTAKE
 * leaves the answer of an unfinished pause to workers that will not arrive any more.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef COMMANDS
#define COMMANDS 5
#endif

bool pauses[COMMANDS]; /* what each command is */
byte taken, lock, owed;
byte all, count; /* SCHED_PAUSE_ALL */
byte arrived[WORKERS];
byte running, arriving; /* workers in a lap, and between the two words by which they arrive */
byte answers[COMMANDS];

inline answer(n) { d_step { answers[n]++; assert(answers[n] == 1); answered = true } }

inline overtake() {
    request = owed;
    overtook = false;
#ifndef NO_OVERTAKE
    if
    :: request != 0 ->
        atomic {
            if
            :: owed == request -> owed = 0; overtook = true
            :: else
            fi
        }
    :: else
    fi;
    if
    :: overtook -> answer(request - 1)
    :: else
    fi
#endif
}

inline obey(n) {
    if
    :: pauses[n] ->
        if
        :: all != 0 -> answer(n) /* busy */
        :: else -> owed = n + 1; d_step { all = n + 1; count = 0 }
        fi;
        taken = n + 1
    :: else ->
        overtake();
        d_step { all = 0; count = 0 }
        if
        :: overtook
        :: else -> answer(n); taken = n + 1
        fi
    fi
}

inline poll() {
    atomic {
        got = (lock == 0);
        if
        :: got -> lock = 1
        :: else
        fi
    }
    if
    :: got ->
        if
        :: taken < COMMANDS -> obey(taken)
        :: else
        fi;
        lock = 0
    :: else
    fi
}

/* The checker's own look. */
inline look() {
    d_step {
        others = 0;
        for (i : 0 .. WORKERS - 1) {
            others = others + (arrived[i] != all -> 1 : 0)
        }
        assert(arriving != 0 || others != 0 || all == 0 || owed != all);
        for (i : 0 .. COMMANDS - 1) {
            assert(lock != 0 || arriving != 0 || i >= taken || answers[i] == 1 || owed == i + 1)
        }
        i = 0;
        others = 0
    }
}

inline arrive() {
    arriving++;
    d_step {
        count++;
        last = (count >= WORKERS);
#ifndef LATE_COUNT
        seen = all
#endif
    }
    if
    :: seen != 0 ->
        arrived[me] = seen;
        request = owed;
        d_step {
            if
            :: last && request == seen && owed == request ->
                owed = 0;
                answers[seen - 1]++;
                assert(answers[seen - 1] == 1 && running == 0)
            :: else
            fi
        }
    :: else
    fi;
    arriving--;
    look()
}

proctype worker(byte me) {
    byte seen, request, others, i;
    bool got, overtook, answered, last;
#ifdef RUNS_FIRST
    bool ran;
#endif
    do
    ::  answered = false;
        if
        :: all == 0 || arrived[me] == all -> poll()
        :: else
        fi;
        atomic { seen = all; running = running + (seen == 0 -> 1 : 0) }
        if
        :: seen == 0 ->
#ifdef RUNS_FIRST
            if
            :: ran -> running--
            :: else
            fi;
            ran = true
#else
            running-- /* the lap has ended */
#endif
        :: seen != 0 && !answered && arrived[me] != seen -> arrive()
        :: else -> look()
        fi
#ifdef RUNS_FIRST
        ;
        if
        :: seen != 0 && ran -> atomic { running--; ran = false }
        :: else
        fi
#endif
    od
}

init {
    byte n;
    atomic {
        for (n : 0 .. COMMANDS - 1) {
            if
            :: n % 2 == 0 -> pauses[n] = true
            :: n % 2 == 1 -> pauses[n] = false
#ifndef IN_TURNS
            :: n % 2 == 0 -> pauses[n] = false
            :: n % 2 == 1 -> pauses[n] = true
#endif
            fi
        }
        for (n : 0 .. WORKERS - 1) {
            run worker(n)
        }
    }
}
