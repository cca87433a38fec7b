// Command genabi writes the constants shared by host and kernel, as a GLSL header, to the file named by its argument.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: genabi FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(header()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
