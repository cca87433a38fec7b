package scan

import (
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/megakernel/workload/internal/rig"
)

func TestScanFindsEveryMatch(t *testing.T) {
	files := map[string]string{
		"empty":       "",
		"a":           "he",
		"a/b":         "ushers and his hers",
		"a-b":         strings.Repeat("she ", 300),
		"long":        strings.Repeat("aaaa", 3000) + "hers",
		"sub/dir/x":   strings.Repeat("x", 15) + "hers" + strings.Repeat("y", 4096) + "she",
		"sub/dir/nul": "\x00hers\x00\xffhe\r\n",
	}
	delete(files, "a") // a/b needs the folder
	patterns := write(t, map[string]string{"p": "he\nshe\n\nhis\nhers\naa\nhe\n\x00\n"})
	rig.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := New(manifest(t), small(write(t, files), patterns+"/p"))
		out, err := rig.Run(deadline(t), b, s, rig.Shape{Workers: 1, Slots: 32, Inbox: 8, Ended: 64})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Verification.OK {
			t.Fatal(out.Verification.Detail)
		}
		t.Logf("%+v\n%s", out.Result, out.Verification.Detail)
	})
}
