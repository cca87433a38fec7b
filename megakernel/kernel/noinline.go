package kernel

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// largeHandler is the size (tree.Function.Size) from which Config.NoInline acts on a handler. NVIDIA's compiler copies functions
// into their callers, and its time grows faster than the text that this gives: on an H100 (580.159) the kernel with the handler of infer (size
// 4,700) takes 19 s in one piece and 4 s in two, with that of render (914) 2.5 and 1.9 s, and with that of collatz (256) it is not
// quicker.
const largeHandler = 800

// isLargeHandler reports whether f is a handler that is compiled on its own.
func (c *Config) isLargeHandler(f *tree.Function) bool {
	handles := func(h Handler) bool { return h.Function == f.Name }
	return slices.ContainsFunc(c.Handlers, handles) && f.Size() >= largeHandler
}
