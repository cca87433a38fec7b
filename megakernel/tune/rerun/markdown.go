package rerun

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"vyretop/megakernel"
)

// ReadFollowed reads the reports in a folder, sorted by device and workload.
func ReadFollowed(folder string) (list []Followed, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var r Followed
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s: %w. Fix: write it with BenchmarkFollowAdvice and -follow.out", file, err)
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Followed) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Workload, b.Workload))
	})
	return list, nil
}

// Between which lines of the page the table is.
const (
	from = "<!-- followed recommendations: go generate ./megakernel/tune/rerun -->\n"
	to   = "<!-- end -->\n"
)

// FollowedPage puts the table of reports into a page that has a place for it.
func FollowedPage(page []byte, list []Followed) ([]byte, error) {
	before, rest, found := bytes.Cut(page, []byte(from))
	_, after, ended := bytes.Cut(rest, []byte(to))
	if !found || !ended {
		return nil, fmt.Errorf("the page has no place for the table. Fix: add the lines %q and %q", from, to)
	}
	return slices.Concat(before, []byte(from), table(list), []byte(to), after), nil
}

func table(list []Followed) []byte {
	var out bytes.Buffer
	rows, reached := 0, 0
	for i := range list {
		for j := range list[i].Rows {
			rows++
			if list[i].Rows[j].Reaches() {
				reached++
			}
		}
	}
	fmt.Fprintf(&out, "\n%d of %d starts end at %.0f %% or more of the best shape and keep %.0f %% of their rate.\n", reached, rows, 100*LeastOfBest, 100*LeastOfStart)
	for i := range list {
		r := &list[i]
		if i == 0 || r.Device != list[i-1].Device {
			fmt.Fprintf(&out, "\n%s (%s, %s):\n\n", r.Device, r.Backend, r.Renderer)
			for _, x := range list[i:] {
				if x.Device == r.Device && x.Processors > 0 {
					fmt.Fprintf(&out, "- %s: %d rounds of %d shapes and %d finals in %.0f s; other processes kept %.1f of %d processors busy\n", x.Workload, x.Rounds, len(x.Grid), x.Finals, x.Seconds, x.Others, x.Processors)
				}
			}
			fmt.Fprintln(&out, "\n| workload | start | recommended | expected | in force then | over the start | best of the grid | over the best | goals |")
			fmt.Fprintln(&out, "|---|---|---|---|---|---|---|---|---|")
		}
		for j := range r.Rows {
			row(&out, r, &r.Rows[j])
		}
	}
	fmt.Fprintln(&out)
	return out.Bytes()
}

func row(out *bytes.Buffer, r *Followed, x *FollowedRow) {
	advised, gain, goals := "none", "", "missed"
	if x.Advised != (megakernel.Shape{}) {
		advised, gain = shape(x.Advised), fmt.Sprintf("%.2f", x.Gain)
	}
	if x.Reaches() {
		goals = "reached"
	}
	fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Workload, shape(x.Start), advised, gain, shape(x.End), x.OfStart, shape(r.Best), x.OfBest, goals)
}

func shape(s megakernel.Shape) string { return fmt.Sprintf("%d×%d", s.Workers, s.Lanes) }

// String is the ratio, and its interval where it has one.
func (r Ratio) String() string {
	if r.Ratio > 1000 { // of something and next to nothing
		return "over 1000"
	}
	if r.Low == r.High {
		return fmt.Sprintf("%.2f", r.Ratio)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", r.Ratio, r.Low, r.High)
}
