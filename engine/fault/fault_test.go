package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"vyretop/engine/fault"
)

const (
	errUsed   fault.Kind = "used"
	errUnused fault.Kind = "unused"
)

func TestErrorsSayWhatTheyHave(t *testing.T) {
	for want, e := range map[string]*fault.Error{
		"open x: broken: file does not exist. Fix: close it": {Op: "open", Subject: "x", Detail: "broken", Cause: fs.ErrNotExist, Fix: "close it"},
		"x: broken. Fix: close it":                           {Subject: "x", Detail: "broken", Fix: "close it"},
		"broken. Fix: close it":                              {Detail: "broken", Fix: "close it"},
		"open: file does not exist":                          {Op: "open", Cause: fs.ErrNotExist},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestKindAndCauseAreFound(t *testing.T) {
	err := fmt.Errorf("around: %w", &fault.Error{Kind: errUsed, Cause: &fault.Error{Cause: fs.ErrExist}})
	if !errors.Is(err, errUsed) || !errors.Is(err, fs.ErrExist) || errors.Is(err, errUnused) {
		t.Errorf("%v: used %v, cause %v, unused %v", err, errors.Is(err, errUsed), errors.Is(err, fs.ErrExist), errors.Is(err, errUnused))
	}
}
