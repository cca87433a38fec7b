// Command gen writes the generated parts of the documentation, and the recorded demo:
//
//	gen benchmarks FOLDER PAGE               docs/benchmarks.md, from the reports in a folder
//	gen recommendations FOLDER PAGE SOURCE   a page's table, and the figures of package recommend, from reports
//	gen licenses FILE                        the modules and their licenses
//	gen notices FILE                         the license texts of the modules that are part of the program
//	gen screenshots FOLDER                   a picture of every view, from the recording that is part of the program
//	gen demo                                 that recording, in the root of the repository: the run of fixtures/recordings/demo
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

//go:generate go run . licenses ../internal/licenses.md

// command is what gen is told to do, with its number of arguments.
type command struct {
	args int
	run  func(args []string) error
}

var commands = map[string]command{
	"benchmarks":      {2, func(a []string) error { return benchmarks(a[0], a[1]) }},
	"recommendations": {3, func(a []string) error { return recommendations(a[0], a[1], a[2]) }},
	"licenses":        {1, func(a []string) error { return writeModules(a[0], Markdown) }},
	"notices":         {1, func(a []string) error { return writeModules(a[0], Notices) }},
	"screenshots":     {1, func(a []string) error { return WriteAll(context.Background(), a[0]) }},
	"demo":            {0, func([]string) error { return recordDemo(context.Background()) }},
}

func main() {
	args := append(os.Args[1:], "")
	c, ok := commands[args[0]]
	if !ok || len(os.Args)-2 != c.args {
		fmt.Fprintln(os.Stderr, "usage: gen benchmarks FOLDER PAGE | recommendations FOLDER PAGE SOURCE | licenses FILE | notices FILE | screenshots FOLDER | demo")
		os.Exit(2)
	}
	if err := c.run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func writeModules(file string, render func([]Module) string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	modules, err := List(strings.TrimSpace(string(root)))
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(render(modules)), 0o644)
}
