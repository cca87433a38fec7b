//go:build !unix

package run

import (
	"context"
	"errors"
)

// StartCompanion is not possible on this system.
func StartCompanion([]string, []string, string) error { return errors.ErrUnsupported }

// Accompanied is the run that this process is the companion of: never one here.
func Accompanied([]string) string { return "" }

// AwaitEnd is not needed on this system.
func AwaitEnd(context.Context, string) error { return errors.ErrUnsupported }
