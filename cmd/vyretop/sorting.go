package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"

	"vyretop/engine/plainfile"
)

const maxSortingBytes = 64 << 10

// sorting is how the tables of the dashboard were sorted last, and how to keep that for the next time. What
// cannot be read or written is not remembered.
func (a *app) sorting() (now map[string]string, keep func()) {
	now = map[string]string{}
	dir := plainfile.StateDir(a.env)
	if dir == "" {
		return now, func() {}
	}
	path := filepath.Join(dir, "sorting.json")
	if text, err := plainfile.Read(path, maxSortingBytes); err == nil && json.Unmarshal(text, &now) != nil {
		now = map[string]string{}
	}
	before := maps.Clone(now)
	return now, func() {
		if maps.Equal(before, now) || os.MkdirAll(dir, 0o700) != nil {
			return
		}
		if text, err := json.Marshal(now); err == nil {
			_ = os.WriteFile(path, text, 0o600)
		}
	}
}
