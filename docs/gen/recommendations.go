package main

import (
	"os"

	"vyretop/megakernel/tune/rerun"
)

// recommendations writes the table of a page from the reports in a folder, and the figures of package recommend.
func recommendations(folder, file, source string) error {
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
