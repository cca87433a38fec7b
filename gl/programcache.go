package gl

import (
	"fmt"
	"os"
	"path/filepath"

	"vyretop/engine"
	"vyretop/engine/fault"
)

// NoProgramCache as Options.ProgramCache keeps no programs on disk.
const NoProgramCache = "off"

// ProgramCacheVariable names the environment variable that decides where programs are kept when
// Options.ProgramCache does not: a directory, or NoProgramCache.
const ProgramCacheVariable = "VYRETOP_PROGRAM_CACHE"

// ProgramCacheDir resolves Options.ProgramCache: what was asked for, or the environment variable, or
// "vyretop/programs" in the user's cache directory. "" means none, also where the user has no such directory.
func ProgramCacheDir(asked string) string {
	for _, dir := range []string{asked, os.Getenv(ProgramCacheVariable)} {
		if dir == NoProgramCache {
			return ""
		}
		if dir != "" {
			return dir
		}
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "vyretop", "programs")
}

// ErrNotStored is matched by errors about compiled programs that could not be stored.
const ErrNotStored fault.Kind = "compiled kernels were not stored"

// Stored is called before programs are compiled; the function that it returns says where they are stored afterwards, or that some are not.
func Stored(b engine.CacheReporter) func() (folder string, err error) {
	before := b.ProgramCache()
	return func() (folder string, err error) {
		after := b.ProgramCache()
		folder = ProgramCacheDir("")
		compiled, stored := after.Misses-before.Misses, after.Stored-before.Stored
		switch {
		case compiled <= stored:
			return folder, nil
		case folder == "":
			return "", &fault.Error{Kind: ErrNotStored, Detail: fmt.Sprintf("%d programs compiled, none stored: %s is off", compiled-stored, ProgramCacheVariable), Fix: "unset it, or name a folder"}
		}
		return folder, &fault.Error{Kind: ErrNotStored, Detail: fmt.Sprintf("%d programs compiled but not stored in %s", compiled-stored, folder),
			Fix: "make the folder writable, or name another one in " + ProgramCacheVariable + "; Mesa stores nothing if its own shader cache is disabled"}
	}
}
