//go:build !invariants && !race

package resident

import "sync"

// lock is a sync.Mutex with a place in the order of the package's locks, which this build does not check.
type lock[R rank] struct{ sync.Mutex }

// rwLock is the same of a sync.RWMutex.
type rwLock[R rank] struct{ sync.RWMutex }
