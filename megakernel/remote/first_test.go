package remote

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestATargetWithoutASnapshotIsLost: a command waited without limit for a target that answers, but sends no snapshot.
func TestATargetWithoutASnapshotIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		c := &Client{name: "hung", first: make(chan struct{}), ended: make(chan struct{})}
		s, err := c.First(t.Context())
		if s != nil || !errors.Is(err, ErrLost) || time.Since(began) != firstTime {
			t.Errorf("after %v: snapshot %v, error %v", time.Since(began), s, err)
		}
	})
}
