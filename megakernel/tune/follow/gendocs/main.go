// Command gendocs writes the table of a page from the reports in a folder, and the figures of package recommend.
package main

import (
	"fmt"
	"os"

	"vyretop/megakernel/tune/rerun"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: gendocs FOLDER PAGE SOURCE")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func generate(folder, file, source string) error {
	list, err := rerun.ReadFollowed(folder)
	if err != nil {
		return err
	}
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if page, err = rerun.FollowedPage(page, list); err != nil {
		return err
	}
	text, err := rerun.FitSource(rerun.Fits(list))
	if err != nil {
		return err
	}
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return err
	}
	return os.WriteFile(file, page, 0o644)
}
