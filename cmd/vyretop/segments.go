package main

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"vyretop/fixtures"
)

// segmentFlags are the flags of a recording in several files.
type segmentFlags struct {
	fixtures.Segments

	mib int64
}

func (f *segmentFlags) register(s *pflag.FlagSet) {
	s.DurationVar(&f.Every, "segment", 0, "recording: start a new file after this much time (0: one file)")
	s.IntVar(&f.Keep, "keep", 0, "with --segment: number of files to keep (0: all)")
	s.Int64Var(&f.mib, "keep-mib", 0, "with --segment: total MiB of the files to keep (0: no limit)")
	s.DurationVar(&f.Thin, "thin", 0, "with --segment: in all but the newest two files, keep one snapshot per interval and no debug log (0: keep everything)")
}

// check finds flags that do nothing, or cannot be; recorded says whether there is a recording.
func (f *segmentFlags) check(recorded bool) error {
	switch {
	case f.Every == 0 && (f.Keep != 0 || f.mib != 0 || f.Thin != 0):
		return usage("--keep, --keep-mib and --thin have no effect", "use them with --segment")
	case f.Every != 0 && !recorded:
		return usage("--segment has no effect", "use it with --record FILE")
	case f.Keep < 0 || f.mib < 0 || f.mib > 1<<40:
		return usage("invalid --keep or --keep-mib: out of range", "use a number of files, and one of MiB, from 0 up")
	case f.Thin < 0:
		return usage(fmt.Sprintf("invalid --thin %v: must not be negative", f.Thin), "use a time such as 1s")
	case f.Every != 0 && f.Every < time.Second:
		return usage(fmt.Sprintf("invalid --segment %v: too short", f.Every), "use at least 1s")
	}
	return nil
}

func (f *segmentFlags) of() fixtures.Segments {
	f.Bytes = f.mib << 20
	return f.Segments
}
