package inspect

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// clockwork is a subject that is sampled at given times after it is followed.
type clockwork struct {
	Subject
	at []time.Duration
}

func (c clockwork) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	began := time.Now()
	for _, at := range c.at {
		select {
		case <-time.After(at - time.Since(began)):
		case <-ctx.Done():
			return nil
		}
		if err := each(&fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Taken: at}}); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}

// TestASlowTargetIsFollowedToASecondSnapshot: with one alone nothing that was logged can be placed, and an export of a
// busy machine was empty.
func TestASlowTargetIsFollowedToASecondSnapshot(t *testing.T) {
	for name, c := range map[string]struct {
		at    []time.Duration
		want  int
		after time.Duration
	}{
		"as often as is usual": {[]time.Duration{1 * time.Second, 1200 * time.Millisecond, 1400 * time.Millisecond, 1600 * time.Millisecond}, 3, 1400 * time.Millisecond},
		"seldom":               {[]time.Duration{1 * time.Second, 3 * time.Second, 5 * time.Second}, 2, 3 * time.Second},
		"never again":          {[]time.Duration{1 * time.Second}, 1, 1300*time.Millisecond + overdue},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, got := time.Now(), 0
				err := Briefly(clockwork{at: c.at}, 300*time.Millisecond).Follow(t.Context(), func(*fixtures.StreamMessage) error {
					got++
					return nil
				})
				if took := time.Since(began); err != nil || got != c.want || took != c.after {
					t.Errorf("%d snapshots in %v, error %v; want %d in %v", got, took, err, c.want, c.after)
				}
			})
		})
	}
}
