package scan

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
)

func TestScanFindsEveryMatch(t *testing.T) {
	root := write(t, map[string]string{
		"empty":       "",
		"a/b":         "ushers and his hers",
		"a-b":         strings.Repeat("she ", 100),
		"long":        strings.Repeat("aaaa", 300) + "hers",
		"sub/dir/x":   strings.Repeat("x", 15) + "hers" + strings.Repeat("y", 4096) + "she",
		"sub/dir/nul": "\x00hers\x00\xffhe\r\n",
	})
	patterns := write(t, map[string]string{"p": "he\nshe\n\nhis\nhers\naa\nhe\n\x00\n"})
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := New(rig.Manifest(t, "scan"), small(root, patterns+"/p"))
		out, err := rig.Run(rig.Deadline(t), b, s, rig.Shape{Workers: 1, Slots: 32, Inbox: 8, Ended: 64})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Verification.OK {
			t.Fatal(out.Verification.Detail)
		}
		// 1199 in "long", 300 in "a-b", 24 in the others: a ring of 8 records was full many times.
		if r := out.Result.(Result); r.Files != 6 || r.Matches != 1523 {
			t.Errorf("%+v", r)
		}
		if n := out.Summary.Counters[megakernel.CountPauses]; n < 50 { // each wrote up to 8 matches, all lanes together
			t.Errorf("%d pauses: the ring was not full often enough to test anything", n)
		}
	})
}

// TestScanIsExactForAnySchedule draws trees, patterns, seeds and shapes, with a ring and an arena so
// small that tasks wait for both. Verify counts again by other means.
func TestScanIsExactForAnySchedule(t *testing.T) {
	rig.OneIn(t, 4, func(rt *rapid.T) {
		letter := rapid.SampledFrom([]byte{'a', 'b', '\n', 'x'})
		files := map[string]string{"always": "ab"}
		for i := range rapid.IntRange(0, 6).Draw(rt, "files") {
			unit := rapid.SliceOfN(letter, 0, 40).Draw(rt, "unit")
			files[fmt.Sprintf("d%d/f%d", i%3, i)] = strings.Repeat(string(unit), rapid.IntRange(1, 40).Draw(rt, "times"))
		}
		files["p.list"] = rapid.SampledFrom([]string{"ab\n", "a\nb\nab\nba\n", "aa\naaa\naaaa\n", "xab\n\nbx\na\na\n"}).Draw(rt, "patterns")
		root := write(t, files)
		o := small(root, filepath.Join(root, "p.list"))
		o.Records = 1 << rapid.IntRange(1, 5).Draw(rt, "ring")
		b := backendtest.Reference(t, reference.Options{Seed: rapid.Uint64().Draw(rt, "seed"), TimeSlice: rapid.IntRange(16, 512).Draw(rt, "time slice")})
		shape := rig.Shape{Workers: rapid.IntRange(1, 3).Draw(rt, "workers"), Lanes: rapid.IntRange(1, 8).Draw(rt, "lanes"), Slots: 32, Inbox: 8, Ended: 32}
		out, err := rig.Run(rig.Deadline(t), b, New(rig.Manifest(t, "scan"), o), shape)
		if err != nil {
			rt.Fatal(err)
		}
		if r := out.Result.(Result); !out.Verification.OK || r.Files != int64(len(files)) {
			rt.Fatalf("%+v, %+v", out.Verification, r)
		}
	})
}
