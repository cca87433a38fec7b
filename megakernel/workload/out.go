package workload

import (
	"io"
	"os"
	"path/filepath"

	"vyretop/engine/plainfile"
)

// CheckOut finds a file for --out that cannot be, before the work is done; "" is none. Its error is an ErrInput.
func CheckOut(name string) error {
	if name == "" {
		return nil
	}
	info, err := os.Stat(filepath.Dir(name))
	if err != nil || !info.IsDir() {
		return Failure(ErrInput, name, "its folder does not exist", err, "create the folder given with --out")
	}
	if info, err = os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return Failure(ErrInput, name, "it exists and is not a regular file", nil, "give another file to --out")
	}
	return nil
}

// WriteOut writes the file of --out beside its place and then puts it there, so that half of it is never seen.
// With "" nothing is written. Its error is an ErrOutput.
func WriteOut(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	if err := plainfile.Replace(name, plainfile.OutputMode, write); err != nil {
		return Failure(ErrOutput, name, "it cannot be written", err, "check the folder given with --out, its permissions and its space")
	}
	return nil
}
