package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"vyretop/megakernel/workload"
)

var _ workload.Queued = (*Scan)(nil)

// Feed implements workload.Queued.
func (s *Scan) Feed(f *workload.Feed) { s.shared.feed = f }

// Inputs implements workload.Queued: the paths and sizes of the files, in the order of the units, and the patterns.
func (s *Scan) Inputs() workload.Inputs {
	hash := sha256.New()
	for _, f := range s.shared.files {
		fmt.Fprintf(hash, "%q %d\n", f.path, f.size)
	}
	for _, p := range s.patterns {
		fmt.Fprintf(hash, "%d %q\n", p.Line, p.Text)
	}
	return workload.Inputs{Units: len(s.shared.files), Digest: hex.EncodeToString(hash.Sum(nil))}
}

// packed is what was found in a file.
type packed struct {
	Read     int64   `json:"read"`
	Checksum uint32  `json:"checksum"`
	Problem  string  `json:"problem,omitempty"` // why it was not searched
	Matches  []Match `json:"matches,omitempty"`
}

// Pack implements workload.Queued.
func (s *Scan) Pack(units []int) ([]byte, error) {
	out := make([]packed, len(units))
	for i, unit := range units {
		f := s.shared.files[unit]
		out[i] = packed{Read: f.read, Checksum: f.checksum, Problem: f.problem, Matches: f.matches}
	}
	return json.Marshal(out)
}

// Unpack implements workload.Queued.
func (s *Scan) Unpack(units []int, data []byte) error {
	var in []packed
	if err := workload.UnpackJSON("scan", data, &in, units, len(s.shared.files)); err != nil {
		return err
	}
	for i, unit := range units {
		f, p := s.shared.files[unit], in[i]
		if s.found.Add(int64(len(p.Matches)-len(f.matches))) > MaxMatches {
			return workload.BadResult("scan", fmt.Sprintf("there are more than %d matches", MaxMatches))
		}
		f.read, f.checksum, f.matches = p.Read, p.Checksum, p.Matches
		if p.Problem != "" && f.problem == "" {
			s.warn(f, errors.New(p.Problem))
		}
		s.done(f, p.Problem == "")
		s.progress.add(f.size)
	}
	return nil
}
