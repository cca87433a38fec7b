package gl

import (
	"os"
	"path/filepath"
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
