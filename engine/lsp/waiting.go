package lsp

import (
	"context"
	"sync"
)

// maxWaiting bounds the messages that are read ahead, so that those which were cancelled need not be served, and
// maxWaitingBytes their contents together: an editor may send the whole text with each key.
const (
	maxWaiting      = 256
	maxWaitingBytes = maxMessage
)

// waiting is a message and those that were read behind it.
func waiting(first message, messages <-chan message) []message {
	list := []message{first}
	for len(list) < maxWaiting {
		select {
		case m := <-messages:
			list = append(list, m)
		default:
			return list
		}
	}
	return list
}

// allowance is how much may be read ahead. One goroutine takes of it, another one gives back.
type allowance struct {
	mu    sync.Mutex
	used  int
	freed chan struct{} // receives after something was given back
}

func newAllowance() *allowance { return &allowance{freed: make(chan struct{}, 1)} }

// take waits until n bytes may be read, or nothing else is held.
func (a *allowance) take(ctx context.Context, n int) error {
	for !a.tried(n) {
		select {
		case <-a.freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (a *allowance) tried(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.used > 0 && a.used+n > maxWaitingBytes {
		return false
	}
	a.used += n
	return true
}

// giveBack returns what served messages took.
func (a *allowance) giveBack(list []message) {
	a.mu.Lock()
	for _, m := range list {
		a.used -= m.size
	}
	a.mu.Unlock()
	select {
	case a.freed <- struct{}{}:
	default:
	}
}
