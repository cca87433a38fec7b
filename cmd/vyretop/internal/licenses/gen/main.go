// Command gen writes the list of modules and licenses to a file.
package main

import (
	"fmt"
	"os"

	"vyretop/cmd/vyretop/internal/licenses"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	modules, err := licenses.List("../../../..") // go generate runs in the folder of the package
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(licenses.Markdown(modules)), 0o644)
}
