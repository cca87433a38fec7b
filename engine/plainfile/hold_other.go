//go:build !linux && !darwin

package plainfile

import (
	"errors"
	"os"
)

// Hold does nothing on this system.
func Hold(*os.File) bool { return true }

// Held is false on this system: it is not known.
func Held(*os.File) bool { return false }

// Await is not possible on this system.
func Await(*os.File) error { return errors.ErrUnsupported }
