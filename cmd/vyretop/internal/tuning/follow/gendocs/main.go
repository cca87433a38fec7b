// Command gendocs writes the table of a page from the reports in a folder.
package main

import (
	"fmt"
	"os"

	"vyretop/cmd/vyretop/internal/tuning/follow"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gendocs FOLDER PAGE")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func generate(folder, file string) error {
	list, err := follow.Read(folder)
	if err != nil {
		return err
	}
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if page, err = follow.Page(page, list); err != nil {
		return err
	}
	return os.WriteFile(file, page, 0o644)
}
