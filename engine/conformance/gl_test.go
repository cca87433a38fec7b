//go:build cgo && egl

package conformance

import (
	"flag"
	"strings"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/gl"
)

var everyCase = flag.Bool("everycase", false, "TestOpenGLConforms runs every case, not only one of nine and the first of each operation")

// sample is the first case of each operation and every ninth one, because a driver compiles each.
func sample(list []Case) (some []Case) {
	seen := map[string]bool{}
	for i, c := range list {
		operation, _, _ := strings.Cut(c.Name, "(")
		if i%9 == 0 || !seen[operation] {
			some = append(some, c)
		}
		seen[operation] = true
	}
	return some
}

func TestOpenGLConforms(t *testing.T) {
	list, least := allCases(t), 500
	if !*everyCase {
		list, least = sample(list), 200
	}
	checkOn(t, backendtest.OpenGL(t, gl.Options{SkipProbes: true, ProgramCache: gl.NoProgramCache}), list, least)
}
