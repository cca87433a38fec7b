package workload

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// CheckOut finds a file for --out that cannot be, before the work is done; "" is none. Its error is an ErrInput.
func CheckOut(name string) error {
	if name == "" {
		return nil
	}
	info, err := os.Stat(filepath.Dir(name))
	if err != nil || !info.IsDir() {
		return &Error{Kind: ErrInput, Name: name, Detail: "its folder does not exist", Err: err, Fix: "create the folder given with --out"}
	}
	if info, err = os.Stat(name); err == nil && info.IsDir() {
		return &Error{Kind: ErrInput, Name: name, Detail: "it is a folder", Fix: "give a file to --out"}
	}
	return nil
}

// WriteOut writes the file of --out beside its place and then puts it there, so that half of it is never seen.
// With "" nothing is written. Its error is an ErrInput.
func WriteOut(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	if err := replace(name, write); err != nil {
		return &Error{Kind: ErrInput, Name: name, Detail: "it cannot be written", Err: err, Fix: "check the folder given with --out, its permissions and its space"}
	}
	return nil
}

func replace(name string, write func(io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".vyretop-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	buffered := bufio.NewWriter(tmp)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	return err
}
