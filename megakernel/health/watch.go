package health

import (
	"fmt"
	"time"

	"vyretop/megakernel"
)

// SlotsPerCheck is how many slots are compared in one check.
const SlotsPerCheck = 1 << 16

// Violation is a rule that was broken, with the words that show it.
type Violation struct {
	At      time.Duration // of the snapshot that shows it
	Rule    string
	Subject string // "slot 12", "worker 3", "epoch"
	Detail  string
	Before  []uint32 // words of the subject in the snapshot before, or of the other slot; nil where one snapshot shows it all
	After   []uint32
}

// String says the violation on one line.
func (v *Violation) String() string { return v.Rule + ": " + v.Subject + ": " + v.Detail }

// subject is what a rule was broken by.
type subject struct {
	rule string
	kind byte
	n    int
}

// Watch follows one target. The zero value is ready; it is not safe for concurrent use.
type Watch struct {
	before *megakernel.Snapshot
	looked int // first slot of the last check
	from   int // slot behind its last; the next check begins there
	known  map[subject]bool
	broken map[subject]bool // in this check
	found  []Violation
	ids    ids
}

// Check takes in the next snapshot and returns what it shows that was not known yet. A snapshot from
// before the last one, as after a seek in a recording, starts again.
func (w *Watch) Check(s *megakernel.Snapshot) []Violation {
	if b := w.before; b != nil && b.Seq == s.Seq && b.Taken == s.Taken {
		return nil
	}
	if w.before == nil || s.Taken < w.before.Taken || s.Seq < w.before.Seq {
		*w = Watch{known: map[subject]bool{}, broken: map[subject]bool{}}
	}
	clear(w.broken)
	w.found = nil
	w.checkSlots(s)
	w.checkOwners(s)
	w.checkWorkers(s)
	if w.before != nil {
		w.checkTotals(s)
		w.checkSums(s)
	}
	w.forget()
	w.before = s
	return w.found
}

// report notes that a subject breaks a rule. The violation is made only when that is news.
func (w *Watch) report(s *megakernel.Snapshot, by subject, name, detail string, before, after []uint32) {
	w.broken[by] = true
	if w.known[by] {
		return
	}
	w.known[by] = true
	w.found = append(w.found, Violation{At: s.Taken, Rule: by.rule, Subject: name, Detail: detail, Before: clone(before), After: clone(after)})
}

func clone(words []uint32) []uint32 { return append([]uint32(nil), words...) }

// forget drops the subjects that obey again. Those of slots that were not looked at stay.
func (w *Watch) forget() {
	for by := range w.known {
		if !w.broken[by] && (by.kind != slotKind || w.looked <= by.n && by.n < w.from) {
			delete(w.known, by)
		}
	}
}

// The kinds of subjects.
const (
	slotKind byte = iota
	workerKind
	wordKind
	targetKind
)

// back reports whether a wrapping counter went back.
func back(before, after uint32) bool { return int32(after-before) < 0 }

func wentBack(before, after uint32) string {
	return fmt.Sprintf("went back from %d to %d", before, after)
}
