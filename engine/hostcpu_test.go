package engine

import (
	"testing"
	"testing/fstest"
)

// TestHostCaches: instruction caches do not count, and what is missing or malformed stays absent.
func TestHostCaches(t *testing.T) {
	const at = "devices/system/cpu/cpu0/cache/index"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	sys := fstest.MapFS{
		at + "0/level": file("1\n"), at + "0/type": file("Data\n"), at + "0/size": file("48K\n"),
		at + "1/level": file("1\n"), at + "1/type": file("Instruction\n"), at + "1/size": file("32K\n"),
		at + "2/level": file("2\n"), at + "2/type": file("Unified\n"), at + "2/size": file("2M\n"),
		at + "3/level": file("3\n"), at + "3/type": file("Unified\n"), at + "3/size": file("many\n"),
	}
	if l1, l2 := HostCaches(sys); l1 != Known(uint64(48<<10)) || l2 != Known(uint64(2<<20)) {
		t.Errorf("L1 %v, L2 %v", l1, l2)
	}
	if l1, l2 := HostCaches(fstest.MapFS{}); !l1.IsZero() || !l2.IsZero() {
		t.Errorf("without files: L1 %v, L2 %v", l1, l2)
	}
}
