package main

import (
	"fmt"
	"strings"

	"vyretop/megakernel"
)

// header is the text of glsl/abi.glsl. Binding numbers are signed literals, because a layout
// qualifier wants a signed constant; everything else is unsigned.
func header() string {
	var b strings.Builder
	b.WriteString("// Code generated from the Go packages tasks and megakernel. DO NOT EDIT.\n#pragma once\n")
	for _, g := range megakernel.Constants() {
		fmt.Fprintf(&b, "\n// %s\n", g.Title)
		for _, c := range g.Constants {
			suffix := "u"
			if strings.HasPrefix(c.Name, "BIND_") {
				suffix = ""
			}
			fmt.Fprintf(&b, "#define %s %d%s\n", c.Name, c.Value, suffix)
		}
	}
	return b.String()
}
