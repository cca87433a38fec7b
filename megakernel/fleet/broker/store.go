package broker

import (
	"os"
	"path/filepath"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// ErrStore: the folder for streams cannot be used.
const ErrStore fault.Kind = "the hub cannot use its folder"

// lockName is the file by which a hub marks its folder.
const lockName = "hub.lock"

// claimStore marks a folder of streams as one that this hub uses until the file is closed: two servers would each write over what the
// other one keeps. It returns nil where there is no folder.
func claimStore(dir string) (*os.File, error) {
	if dir == "" {
		return nil, nil
	}
	err := os.MkdirAll(dir, 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrStore, Subject: "--store " + dir, Cause: err, Fix: "name a folder that can be written to with --store"}
	}
	if !plainfile.Hold(f) {
		_ = f.Close() // nothing was written
		return nil, &fault.Error{Kind: ErrStore, Subject: "--store " + dir, Detail: "another hub uses this folder", Fix: "give each hub a folder of its own with --store"}
	}
	return f, nil
}

// closeStore gives the folder back.
func closeStore(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}
