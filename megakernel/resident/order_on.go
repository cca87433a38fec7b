//go:build invariants || race

package resident

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"sync"
)

// lock is a sync.Mutex that panics when its goroutine holds another one that comes after it in the order, or one of the same rank.
type lock[R rank] struct{ mu sync.Mutex }

// Lock implements sync.Locker.
func (l *lock[R]) Lock() {
	enter[R]()
	l.mu.Lock()
}

// Unlock implements sync.Locker.
func (l *lock[R]) Unlock() {
	l.mu.Unlock()
	leave[R]()
}

// rwLock is the same of a sync.RWMutex.
type rwLock[R rank] struct{ mu sync.RWMutex }

// Lock implements sync.Locker.
func (l *rwLock[R]) Lock() {
	enter[R]()
	l.mu.Lock()
}

// Unlock implements sync.Locker.
func (l *rwLock[R]) Unlock() {
	l.mu.Unlock()
	leave[R]()
}

// RLock is like sync.RWMutex.RLock. A goroutine that reads may not read again: a writer between the two would wait for
// the first, and the second for the writer.
func (l *rwLock[R]) RLock() {
	enter[R]()
	l.mu.RLock()
}

// RUnlock is like sync.RWMutex.RUnlock.
func (l *rwLock[R]) RUnlock() {
	l.mu.RUnlock()
	leave[R]()
}

// held is, by goroutine, the places of the locks that it holds or waits for, a bit each.
var held sync.Map

// enter notes that the goroutine is about to take a lock, and panics where the order forbids it.
func enter[R rank]() {
	var r R
	at, name := r.place()
	id := goroutine()
	before, _ := held.LoadOrStore(id, uint32(0))
	if inner := before.(uint32) >> at; inner != 0 {
		panic(fmt.Sprintf("BUG: %s (rank %d) is taken under locks of ranks %b << %d; see the order in order.go", name, at, inner, at))
	}
	held.Store(id, before.(uint32)|1<<at)
}

// leave notes that the goroutine has given a lock back.
func leave[R rank]() {
	var r R
	at, _ := r.place()
	id := goroutine()
	before, _ := held.Load(id)
	if rest := before.(uint32) &^ (1 << at); rest != 0 {
		held.Store(id, rest)
	} else {
		held.Delete(id)
	}
}

// goroutine is the number of the goroutine that calls it, as the first line of its stack says it.
func goroutine() uint64 {
	var stack [64]byte
	line := stack[:runtime.Stack(stack[:], false)]
	word, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("goroutine ")), []byte(" "))
	id, err := strconv.ParseUint(string(word), 10, 64)
	if err != nil {
		panic("BUG: a stack begins with " + string(line))
	}
	return id
}
