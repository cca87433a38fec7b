package engine

import (
	"fmt"
	"io/fs"
	"strings"
)

// HostCaches are the bytes of the first- and second-level data caches of a processor core, for devices that are
// the host's processor. sys is the root of Linux's sysfs, as os.DirFS("/sys"); what it does not tell is absent.
func HostCaches(sys fs.FS) (l1, l2 Optional[uint64]) {
	files, _ := fs.Glob(sys, "devices/system/cpu/cpu0/cache/index*/size") // the pattern is well-formed
	for _, file := range files {
		folder := strings.TrimSuffix(file, "size")
		if kind := readWord(sys, folder+"type"); kind != "Data" && kind != "Unified" {
			continue
		}
		var size uint64
		var unit string
		if n, _ := fmt.Sscanf(readWord(sys, file), "%d%s", &size, &unit); n < 1 {
			continue
		}
		switch unit {
		case "K":
			size <<= 10
		case "M":
			size <<= 20
		}
		switch readWord(sys, folder+"level") {
		case "1":
			l1 = Known(size)
		case "2":
			l2 = Known(size)
		}
	}
	return l1, l2
}

// readWord is the text of a small file without the space around it, "" where it cannot be read.
func readWord(sys fs.FS, file string) string {
	text, err := fs.ReadFile(sys, file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
