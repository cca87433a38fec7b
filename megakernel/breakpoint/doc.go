// Package breakpoint owns what a breakpoint is: a condition over the words of a task, what happens when a
// worker is about to activate a task that fulfils it, and how often that has happened. The condition is a
// program (Program) that the device runs before each activation, in the words that package megakernel gives
// it, and the host over samples (Program.Match), with the same result.
//
// A breakpoint acts at the boundary of an activation, never inside a handler: a task that is held has run
// nothing of the activation that was about to begin, and keeps its words and its continuation. An activation
// is looked at once, so a task that was held goes on when it is resumed, and is looked at again at its next
// activation.
package breakpoint

import (
	"errors"
	"fmt"
)

// ErrCondition is matched by errors about a breakpoint that cannot be.
var ErrCondition = errors.New("breakpoint is not possible")

// Error says what is wrong with a breakpoint.
type Error struct {
	Detail string
	Fix    string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("breakpoint: %s. Fix: %s", e.Detail, e.Fix) }

// Unwrap makes errors.Is(err, ErrCondition) true.
func (e *Error) Unwrap() error { return ErrCondition }
