//go:build bindings

package main

// The module stays in go.mod, although no build has the whole of it.
import _ "github.com/go-gl/gl/v4.5-core/gl"
