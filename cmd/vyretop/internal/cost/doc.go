// Package cost measures what the dashboard costs as a process of its own: the time from its start to its
// first frame and from a key to the screen, its memory, and its share of a processor beside that of the
// least program that shows the same frames. It has nothing but benchmarks:
//
//	go test ./cmd/vyretop/internal/cost -run '^$' -bench . -benchtime 1x
//
// Each builds the program without cgo, which is the inspector without OpenGL, and runs it on a pseudo
// terminal of 200 columns and 60 rows. The target is a stand-in with 4,096 slots, of which a tenth changes
// from one snapshot to the next, behind the same hub and socket as a real run.
package cost
