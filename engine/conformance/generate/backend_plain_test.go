//go:build !(cgo && egl)

package generate

import (
	"testing"

	"vyretop/engine"
)

func fuzzBackend(t testing.TB) engine.Backend { return otherReference(t) }
