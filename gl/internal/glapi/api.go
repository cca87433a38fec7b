//go:build cgo && egl

package glapi

import (
	"fmt"
	"sync"
	"unsafe"

	"vyretop/gl/internal/glapi/core"
)

// API is one context's view of OpenGL. Strict makes every wrapper read glGetError after its call,
// so that an error names the call; without it errors are read once per operation by Err.
type API struct {
	Strict  bool
	first   error
	threads bool // of the driver compile

	// What calls write into: a variable whose address goes to C would be allocated each time.
	name  uint32
	value uint64
	group [maxLabel]byte
}

// Read with no driver-dependent cost worth saving: about 45 ns a call on NVIDIA, 20 ns on llvmpipe.
// maxErrors bounds the drain: a lost context answers GL_CONTEXT_LOST for ever.
const maxErrors = 16

func (a *API) after(call string) {
	if !a.Strict || a.first != nil {
		return
	}
	if code := core.GetError(); code != core.NO_ERROR {
		a.first = &CallError{Call: call, Code: code}
	}
}

// Err returns the first error since the last call of Err, as a *CallError, and clears it. op names
// the operation for the case that no single call is known.
func (a *API) Err(op string) error {
	first := a.first
	a.first = nil
	for range maxErrors {
		code := core.GetError()
		if code == core.NO_ERROR {
			break
		}
		if first == nil {
			first = &CallError{Call: op, Code: code}
		}
	}
	return first
}

var loading sync.Mutex
var loaded bool

// Load resolves the entry points with lookup, once per process: the bindings keep them in package
// variables, and the vendor-neutral EGL library returns the same dispatching stubs for every context.
// A context must be current. The error names the first entry point of OpenGL 4.5 that is missing.
func Load(lookup func(name string) unsafe.Pointer) error {
	loading.Lock()
	defer loading.Unlock()
	if loaded {
		return nil
	}
	if err := core.Load(lookup); err != nil {
		return fmt.Errorf("no entry point %w", err)
	}
	loaded = true
	return nil
}
