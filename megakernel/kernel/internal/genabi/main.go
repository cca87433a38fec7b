// Command genabi writes the GLSL header of the ABI to the file named by its argument.
package main

import (
	"fmt"
	"os"

	"vyretop/megakernel/kernel/internal/abi"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: genabi FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(abi.Header()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
