package grep

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Result is the "result" object of a search.
type Result struct {
	Pattern    string   `json:"pattern"`
	Files      int      `json:"files"` // searched to their end, empty ones too
	Bytes      int64    `json:"bytes"` // in them
	Lines      int64    `json:"lines"` // that match
	Matching   int      `json:"matching_files"`
	Unreadable int      `json:"unreadable"`
	Warnings   []string `json:"warnings,omitempty"` // why, the first ones
	Digest     string   `json:"digest"`             // see the package comment
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// maxWarnings bounds those in a result.
const maxWarnings = 10

// Result implements workload.Workload.
func (g *Grep) Result() any { return g.report() }

func (g *Grep) report() Result {
	if g.result == nil {
		g.result = g.sum()
	}
	return *g.result
}

func (g *Grep) sum() *Result {
	r := &Result{Pattern: g.opt.Pattern}
	for _, f := range g.tree.files {
		if !f.searched {
			continue
		}
		r.Files++
		r.Bytes += f.size
		r.Lines += f.lines
		if f.lines > 0 {
			r.Matching++
		}
	}
	g.tree.mu.Lock()
	defer g.tree.mu.Unlock()
	r.Unreadable = len(g.tree.warnings)
	for _, err := range g.tree.warnings[:min(maxWarnings, r.Unreadable)] {
		r.Warnings = append(r.Warnings, err.Error())
	}
	digest := sha256.Sum256(g.counts())
	r.Digest = hex.EncodeToString(digest[:])
	return r
}

// counts are the lines of --out, which the digest is of.
func (g *Grep) counts() (out []byte) {
	for _, f := range g.tree.files {
		if f.searched {
			out = append(out, f.path...)
			out = append(out, '\t')
			out = strconv.AppendInt(out, f.lines, 10)
			out = append(out, '\n')
		}
	}
	return out
}
