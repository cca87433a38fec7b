package live

// tail keeps the newest entries of a sequence, up to a bound, and counts what it dropped.
type tail[T any] struct {
	ring    []T // grows up to bound, then used as a ring
	bound   int
	first   int // index of the oldest entry
	dropped int // entries that were pushed out
}

func newTail[T any](bound int) tail[T] { return tail[T]{bound: bound} }

func (t *tail[T]) add(entries ...T) {
	for _, e := range entries {
		if len(t.ring) < t.bound {
			t.ring = append(t.ring, e)
			continue
		}
		t.ring[t.first] = e
		t.first = (t.first + 1) % t.bound
		t.dropped++
	}
}

func (t *tail[T]) len() int { return len(t.ring) }

// at returns entry i, counted from the oldest one that is kept.
func (t *tail[T]) at(i int) *T { return &t.ring[(t.first+i)%len(t.ring)] }

// slice copies at most limit entries from entry i on.
func (t *tail[T]) slice(i, limit int) []T {
	n := min(limit, t.len()-i)
	if n <= 0 {
		return nil
	}
	out := make([]T, n)
	for k := range out {
		out[k] = *t.at(i + k)
	}
	return out
}

// since copies at most limit entries from position at on, which counts the dropped ones too, and
// returns the position behind them.
func (t *tail[T]) since(at, limit int) (out []T, next int) {
	first := max(at, t.dropped)
	out = t.slice(first-t.dropped, limit)
	return out, first + len(out)
}
