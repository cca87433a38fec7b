package kernel

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// largeHandler is the size (tree.Function.Size) from which Config.NoInline acts on a handler. NVIDIA's compiler copies functions
// into their callers, and its time grows faster than the text that this gives. What a cold start of `vyretop run` takes longer
// than one with stored programs, on an H100 (580.159), in one piece and with the handler apart: infer (size 4,700) 19.3 and 7 to 9 s,
// render (914) 2.2 and 1.5 s, collatz (256) 0.6 and 0.9 s; one run of each, three of infer apart.
const largeHandler = 800

// isLargeHandler reports whether f is a handler that is compiled on its own.
func (c *Config) isLargeHandler(f *tree.Function) bool {
	handles := func(h Handler) bool { return h.Function == f.Name }
	return slices.ContainsFunc(c.Handlers, handles) && f.Size() >= largeHandler
}

// HasLargeHandlers reports whether Config.NoInline makes a difference to the kernel.
func (k *Kernel) HasLargeHandlers() bool {
	return k.Program.Tree != nil && slices.ContainsFunc(k.Program.Tree.Functions, k.Config.isLargeHandler)
}
