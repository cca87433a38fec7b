package grep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"vyretop/megakernel/workload"
)

// Feed implements workload.Queued.
func (g *Grep) Feed(f *workload.Feed) { g.feed = f }

// Inputs implements workload.Queued: the paths and sizes of the files, and the pattern.
func (g *Grep) Inputs() workload.Inputs {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", g.opt.Pattern)
	for _, f := range g.tree.files {
		fmt.Fprintf(hash, "%q %d\n", f.path, f.size)
	}
	return workload.Inputs{Units: len(g.tree.files), Digest: hex.EncodeToString(hash.Sum(nil))}
}

// packed is what was found in a file.
type packed struct {
	Lines   int64  `json:"lines"`
	Problem string `json:"problem,omitempty"` // why it was not searched
}

// Pack implements workload.Queued.
func (g *Grep) Pack(units []int) ([]byte, error) {
	out := make([]packed, len(units))
	for i, unit := range units {
		f := g.tree.files[unit]
		out[i].Lines = f.lines
		if !f.searched {
			out[i].Problem = f.path + ": it could not be read, or has become shorter"
		}
	}
	return json.Marshal(out)
}

// Unpack implements workload.Queued.
func (g *Grep) Unpack(units []int, data []byte) error {
	var in []packed
	if err := workload.UnpackJSON("grep", data, &in, units, len(g.tree.files)); err != nil {
		return err
	}
	for i, unit := range units {
		f := g.tree.files[unit]
		if in[i].Problem != "" {
			g.tree.warn(errors.New(in[i].Problem))
		} else {
			f.searched, f.lines = true, in[i].Lines
		}
		g.tree.reach(f, f.size)
	}
	return nil
}
