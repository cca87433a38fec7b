/* Sets of slots: megakernel/kernel/glsl/set.glsl.
 *
 * WORKERS workers do to one set whatever they like, for as long as they like: add slots that they own
 * (vt_set_add), take slots (vt_set_take), and call each corrector on any leaf or region at any time
 * (vt_set_unmark, vt_set_untop, vt_set_unapex). The kernel's own callers do less. Then they stop, in
 * any state, and the last one finds everything (vt_set_find, vt_plan_leaf of plan.glsl).
 *
 * Checked: a slot is taken only out of the set, and only by one worker; none is lost; when all have
 * stopped, all slots of the set are found through the summaries, and then the set seems empty.
 *
 * Four leaves in two regions; SLOTS has a bit for each slot that there is, two bits a leaf. OPS bounds
 * what each worker does, for sizes that cannot be checked otherwise.
 *
 * Mutations, which must be found: NO_LOOK_LEAF, NO_LOOK_MID, NO_LOOK_TOP leave out the second look
 * of a corrector; LOOK_FIRST looks before it clears; TORN_TAKE reads and writes a leaf in two steps;
 * LATE_MARK marks the summary only when it has already seen the leaf non-empty.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SLOTS
#define SLOTS 21 /* one each in leaves 0 and 1, and in leaf 2, which is in the other region */
#endif
#ifdef OPS
#define COUNTED 1
#else
#define OPS 1
#define COUNTED 0
#endif
#define LEAVES 4
#define BITS(l) (3 << (2 * (l)))

byte leaf = SLOTS; /* all four leaf words; each atomic touches one of them */
byte mid[2];
byte top, apex;
byte owned;   /* by any worker */
byte running = WORKERS;

#define LEAF(l)    ((leaf >> (2 * (l))) & 3)
#define REGION(l)  ((l) / 2)
#define MIDBIT(l)  (1 << ((l) % 2))
#define TOPBIT(r)  (1 << (r))

/* vt_set_mark from the second level on: atomicOr of top, and of apex when it was zero. */
inline mark_top(r) {
    d_step { was = top; top = top | TOPBIT(r) }
    if
    :: was == 0 -> apex = 1
    :: else
    fi
}

inline vt_set_mark(l) {
    d_step { was = mid[REGION(l)]; mid[REGION(l)] = was | MIDBIT(l) }
    if
    :: was == 0 -> mark_top(REGION(l))
    :: else
    fi
}

inline vt_set_untop(r) {
#ifdef LOOK_FIRST
    if
    :: mid[r] == 0 -> d_step { top = top & ~TOPBIT(r); was = 0 }
    :: else
    fi
#else
    d_step { top = top & ~TOPBIT(r); was = 0 }
#ifndef NO_LOOK_MID
    if
    :: mid[r] != 0 -> mark_top(r)
    :: else
    fi
#endif
#endif
}

inline vt_set_unmark(l) {
    d_step { was = mid[REGION(l)] & ~MIDBIT(l); mid[REGION(l)] = was }
    if
#ifndef NO_LOOK_LEAF
    :: LEAF(l) != 0 -> vt_set_mark(l)
    :: LEAF(l) == 0 && was == 0 -> vt_set_untop(REGION(l))
    :: LEAF(l) == 0 && was != 0
#else
    :: was == 0 -> vt_set_untop(REGION(l))
    :: else
#endif
    fi;
    was = 0
}

inline vt_set_unapex() {
    apex = 0;
#ifndef NO_LOOK_TOP
    if
    :: top != 0 -> apex = 1
    :: else
    fi
#endif
}

/* Adds all slots of one leaf that the worker holds. */
inline vt_set_add(l) {
    d_step {
        was = LEAF(l);
        assert((leaf & hold & BITS(l)) == 0);
        leaf = leaf | (hold & BITS(l));
        owned = owned & ~(hold & BITS(l));
        hold = hold & ~BITS(l)
    }
#ifdef LATE_MARK
    was = (LEAF(l) == 0 -> 0 : 1);
#endif
    if
    :: was == 0 -> vt_set_mark(l)
    :: else
    fi;
    was = 0
}

/* Takes some slots of one leaf. */
inline vt_set_take(l, bits) {
#ifdef TORN_TAKE
    was = leaf;
    d_step {
        got = was & bits;
#else
    d_step {
        got = leaf & bits;
#endif
        leaf = leaf & ~bits;
        assert((owned & got) == 0);
        owned = owned | got;
        hold = hold | got;
        got = 0; was = 0
    }
}

/* vt_set_find from leaf 0 on, with vt_plan_leaf; -> found is a leaf with slots, or LEAVES. */
inline vt_plan_leaf() {
    found = LEAVES;
    r = 0;
    if
    :: mid[0] == 0 && top != 0 ->
        r = (top & 1 -> 0 : 1);
        if
        :: mid[r] == 0 -> vt_set_untop(r)
        :: else
        fi
    :: else
    fi;
    if
    :: mid[r] == 0 -> vt_set_unapex()
    :: else ->
        found = r * 2 + (mid[r] & 1 -> 0 : 1);
        if
        :: LEAF(found) == 0 -> vt_set_unmark(found); found = LEAVES
        :: else
        fi
    fi
}

/* What the last worker does: finds and takes all. */
inline drain() {
    do
    :: apex != 0 && tries < 3 * LEAVES ->
        vt_plan_leaf();
        tries++;
        if
        :: found < LEAVES -> vt_set_take(found, BITS(found))
        :: else
        fi
    :: apex == 0 || tries >= 3 * LEAVES -> break
    od;
    assert(apex == 0 && leaf == 0 && owned == SLOTS)
}

inline any_leaf() {
    if
    :: l = 0
    :: l = 1
    :: l = 2
    fi
}

proctype worker() {
    byte hold, was, got, l, r, found, tries, ops;
    do
    :: ops < OPS -> any_leaf(); ops = ops + COUNTED;
        if
        :: (hold & BITS(l)) != 0 -> vt_set_add(l)
        :: true -> vt_set_take(l, BITS(l))
        :: true -> vt_set_take(l, (1 << (2 * l)))
        :: true -> vt_set_unmark(l)
        :: true -> vt_set_untop(REGION(l)); was = 0
        :: l == 0 -> vt_set_unapex()
        fi;
        l = 0
    :: break
    od;
    assert((leaf | owned) == SLOTS && (leaf & owned) == 0);
    atomic {
        running--;
        if
        :: running == 0
        :: else -> goto stopped
        fi
    }
    drain();
stopped: skip
}

init {
    atomic {
        mid[0] = 3; mid[1] = 1; top = 3; apex = 1;
        byte i;
        for (i : 1 .. WORKERS) { run worker() }
    }
}
