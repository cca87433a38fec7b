package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Keep writes a kernel to the first number in a folder that is free, and makes the folder. The error is that of the file
// system.
func Keep(dir string, c *Case) (file string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", unkept(err)
	}
	for n := 1; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf("%04d.comp", n))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", unkept(err)
		}
		_, err = file.WriteString(Format(c))
		return name, errors.Join(err, file.Close())
	}
}

func unkept(err error) error {
	return fmt.Errorf("keep the kernel of a difference: %w. Fix: give a folder that can be written with --keep", err)
}
