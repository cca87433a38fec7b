/* Commands for tasks: vt_acquire, vt_leave_request and vt_take_request of command.glsl, vt_hand_on,
 * vt_check and vt_do_job of job.glsl, the due condition of vt_poll and vt_serve_lane of serve.glsl, the
 * lap's claim and put of lap.glsl, vt_try_lock and vt_unlock of poll.glsl.
 *
 * WORKERS workers of one lane share one slot with a task, which runs at most ACTIVATIONS times and may
 * yield, hold itself, fault or end. The host gives COMMANDS commands for it, of any kind. A set is one
 * atomic bit here (set.pml has the rest), and workers may leave when nothing is to be done.
 *
 * Checked: nobody has the slot while somebody else has it or it is in a set; each command is answered
 * once; when all have left, the slot is in a set, and no request and no count of one is left.
 *
 * Mutations, which must be found: RESTING_BY_STATE has held and faulted tasks in no set, and takes them
 * by their state; DROP gives up a slot after two rounds; NO_SECOND_LOOK and NO_LOOK leave out the look
 * into the sets after a request, and the look for requests after a set; NO_LOCK lets two workers poll at
 * a time.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef COMMANDS
#define COMMANDS 3
#endif
#define ACTIVATIONS 2

mtype = { READY, RUNNING, HELD, FAULTED, DONE };
mtype = { NOWHERE, IN_READY, IN_RESTING, IN_FREE };
mtype = { NONE, SETTLE, COMMAND, PUT_BACK };

mtype state = READY, where = IN_READY;
byte owners, request, pending, taken, lock, activations;
byte answers[COMMANDS];
byte running = WORKERS;

#ifdef RESTING_BY_STATE
#define RESTS NOWHERE
#else
#define RESTS IN_RESTING
#endif
#define HOME(s) (s == DONE -> IN_FREE : (s == READY -> IN_READY : RESTS))

inline own()    { owners++; assert(owners == 1 && where == NOWHERE) }
inline answer(n) { d_step { answers[n]++; assert(answers[n] == 1) } }

inline take_set(set) {
    atomic {
        if
        :: where == set -> where = NOWHERE; own(); mine = true
        :: else
        fi
    }
}

inline add(set) { atomic { owners--; assert(owners == 0 && where == NOWHERE); where = set } }

inline take_anywhere() {
    mine = false;
    take_set(IN_READY);
    if
    :: !mine -> take_set(IN_RESTING)
    :: else
    fi;
    seen = state;
#ifdef RESTING_BY_STATE
    if
    :: !mine && (seen == HELD || seen == FAULTED) -> atomic { own(); mine = true }
    :: else
    fi
#endif
}

inline take_request(r) {
    atomic {
        got = (request == r);
        if
        :: got -> request = 0
        :: else
        fi
    }
    if
    :: got -> pending--
    :: else
    fi
}

inline leave_request(r) {
    pending++;
    atomic {
        got = (request == 0);
        if
        :: got -> request = r
        :: else
        fi
    }
    if
    :: !got -> pending--
    :: else
    fi
}

inline acquire(n) {
    later = false;
    take_anywhere();
    if
    :: mine -> job = COMMAND; number = n
    :: !mine && seen == DONE && where == IN_FREE -> answer(n)
    :: !mine && seen == DONE && where != IN_FREE -> later = true
    :: else ->
        leave_request(n + 1);
        if
        :: !got -> answer(n) /* busy */
        :: else ->
#ifndef NO_SECOND_LOOK
            take_anywhere();
            if
            :: mine || seen == DONE ->
                take_request(n + 1);
                if
                :: mine -> job = (got -> COMMAND : PUT_BACK); number = n
                :: !mine && got -> answer(n)
                :: else
                fi
            :: else
            fi
#else
            skip
#endif
        fi
    fi
}

/* Changes t, this lane's copy of the state, as some command may. */
inline obey() {
    if
    :: t == FAULTED -> t = DONE /* reap */
    :: t == HELD -> t = READY
    :: t == READY || t == HELD -> t = HELD
    :: true /* refused, or a change of other words */
    fi
}

inline hand_on() {
    again = false;
    if
    :: HOME(t) == IN_FREE ->
        r = request;
        if
        :: r != 0 ->
            take_request(r);
            if
            :: got -> answer(r - 1)
            :: else
            fi
        :: else
        fi;
        add(IN_FREE)
    :: else ->
#ifdef RESTING_BY_STATE
        if
        :: HOME(t) == RESTS ->
            owners--;
            r = request;
            if
            :: r != 0 -> take_request(r); again = got
            :: else
            fi;
            if
            :: again -> own(); job = COMMAND; number = r - 1
            :: else
            fi;
            goto handed
        :: else
        fi;
#endif
        add(HOME(t));
#ifndef NO_LOOK
        r = request;
        if
        :: r != 0 ->
            mine = false;
            take_set(HOME(t));
            if
            :: mine ->
                r = request;
                got = false;
                if
                :: r != 0 -> take_request(r)
                :: else
                fi;
                again = true;
                number = (got -> r - 1 : 0);
                job = (got -> COMMAND : PUT_BACK)
            :: else
            fi
        :: else
        fi
#endif
    fi;
    handed: r = 0
}

inline check() {
    r = request;
    if
    :: r != 0 ->
        seen = state;
        if
        :: seen == DONE ->
            take_request(r);
            if
            :: got -> answer(r - 1)
            :: else
            fi
        :: else ->
            mine = false;
            take_set(IN_READY);
            if
            :: mine ->
                r = request;
                got = false;
                if
                :: r != 0 -> take_request(r)
                :: else
                fi;
                number = (got -> r - 1 : 0);
                job = (got -> COMMAND : PUT_BACK)
            :: else
            fi
        fi
    :: else
    fi;
    r = 0
}

inline do_job() {
    t = (job == SETTLE -> t : state);
    do
#ifdef DROP
    :: again && rounds == 2 -> owners--; break
    :: again && rounds < 2 ->
        rounds++;
#else
    :: again ->
#endif
        if
        :: job == COMMAND -> obey(); state = t; answer(number)
        :: else -> state = t
        fi;
        hand_on()
    :: !again -> break
    od
}

inline serve() {
    got = false;
    if
    :: job == NONE ->
        atomic {
            if
#ifdef NO_LOCK
            :: true -> got = true
#else
            :: lock == 0 -> lock = 1; got = true
#endif
            :: else
            fi
        }
    :: else
    fi;
    if
    :: got ->
        if
        :: !(ran && pending != 0) && taken < COMMANDS -> n = taken; acquire(n); taken = (later -> n : n + 1)
        :: else
        fi;
        lock = 0
    :: else
    fi;
    if
    :: job == NONE && ran && pending != 0 -> check()
    :: else
    fi;
    if
    :: job != NONE -> again = true; do_job()
    :: else
    fi;
    atomic { job = NONE; ran = false; later = false; again = false; rounds = 0; number = 0; n = 0; got = false; mine = false; r = 0; t = DONE; seen = DONE }
}

inline lap() {
    mine = false;
    take_set(IN_READY);
    if
    :: mine ->
        state = RUNNING;
        activations++;
        ran = true;
        if
        :: activations < ACTIVATIONS -> state = READY; add(IN_READY)
        :: activations < ACTIVATIONS -> t = HELD; job = SETTLE
        :: t = FAULTED; job = SETTLE
        :: state = DONE; add(IN_FREE)
        fi
    :: else
    fi
}

proctype worker() {
    mtype job = NONE, t = DONE, seen = DONE;
    bool mine, got, again, ran, later;
    byte number, r, n, rounds;
    do
    :: lap(); serve()
    :: taken == COMMANDS && where != IN_READY -> break
    od;
    atomic {
        running--;
        if
        :: running == 0 ->
            assert(owners == 0 && where == HOME(state) && request == 0 && pending == 0);
            for (n : 0 .. COMMANDS - 1) { assert(answers[n] == 1) }
        :: else
        fi
    }
}

init {
    atomic {
        byte i;
        for (i : 1 .. WORKERS) { run worker() }
    }
}
