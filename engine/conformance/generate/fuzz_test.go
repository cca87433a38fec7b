package generate

import "testing"

// FuzzKernel: whatever the tape, its kernel is defined completely and both backends agree on it. The
// backend is the OpenGL one where it is built in, otherwise another reference.
func FuzzKernel(f *testing.F) {
	for n := range uint64(8) {
		tape := Random(11, n)
		Kernel(tape)
		f.Add(tape.Data())
	}
	f.Add([]byte{})
	r := newRunner(f, fuzzBackend(f))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, r, Replay(data)) })
}
