// Command gen draws a screenshot of every view, from the recording that is part of the program, into
// the folder given as argument.
package main

import (
	"context"
	"fmt"
	"os"

	"vyretop/cmd/vyretop/internal/screenshot"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER")
		os.Exit(2)
	}
	if err := screenshot.WriteAll(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
