// Command gen writes the list of modules and licenses, or with -notices the license texts of the modules that are
// part of the program, to a file.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"vyretop/cmd/vyretop/internal/licenses"
)

func main() {
	notices := flag.Bool("notices", false, "write the license texts of the program's modules")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: gen [-notices] FILE")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *notices); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(file string, notices bool) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	modules, err := licenses.List(strings.TrimSpace(string(root)))
	if err != nil {
		return err
	}
	text := licenses.Markdown(modules)
	if notices {
		text = licenses.Notices(modules)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
