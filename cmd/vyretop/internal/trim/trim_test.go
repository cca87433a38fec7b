package trim

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// resident is how much of the process's files is in memory, in KiB.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("this system does not say what memory a process has: " + err.Error())
	}
	_, rest, _ := strings.Cut(string(text), "RssFile:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestProgramGivesBackPages(t *testing.T) {
	before := resident(t)
	if err := Program(); err != nil {
		t.Fatal(err)
	}
	if after := resident(t); after >= before { // how much less depends on how the file lies in memory
		t.Errorf("%d KiB of files in memory, %d before", after, before)
	}
}

// Only what is as in the file can be had again from there.
func TestWhatWasWrittenIsKept(t *testing.T) {
	const amounts = "Size: 8 kB\nRss: 8 kB\nAnonymous: %a kB\nSwap: %s kB\nVmFlags: rd ex mr mw me\n"
	var maps strings.Builder
	for _, m := range []struct{ heading, anonymous, swap string }{
		{"00400000-00500000 r-xp 00000000 fe:00 24 /bin/a program", "0", "0"},
		{"00500000-00600000 r--p 00100000 fe:00 24 /bin/a program", "4", "0"},
		{"00600000-00700000 r--p 00200000 fe:00 24 /bin/a program", "0", "4"},
		{"00700000-00800000 rw-p 00300000 fe:00 24 /bin/a program", "0", "0"},
		{"00800000-00900000 r--p 00400000 fe:00 24 /bin/a program", "0", "0"},
		{"c000000000-c000400000 ---p 00000000 00:00 0 ", "0", "0"},
		{"7f0000000000-7f0000001000 r-xp 00000000 fe:00 25 /lib/other", "0", "0"},
	} {
		maps.WriteString(m.heading + "\n" + strings.NewReplacer("%a", m.anonymous, "%s", m.swap).Replace(amounts))
	}
	got, err := untouched(strings.NewReader(maps.String()), "/bin/a program")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]span{{0x400000, 0x500000}, {0x800000, 0x900000}}, got, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
