package conformance

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

//go:embed kernels/*.comp
var kernelFiles embed.FS

// Cases makes every case. Their operands follow from the seed; the special values among them do not.
func Cases(seed uint64) ([]Case, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []Case
	for _, s := range slices.Concat(unaryCases(), binaryCases(), stepCases(), convertCases(), choiceCases(), builtinCases()) {
		list = append(list, s.make(r))
	}
	list = append(list, atomicCases(r)...)
	list = append(list, barrierCases()...)
	list = append(list, dispatchCases()...)
	kernels, err := kernelCases()
	return append(list, kernels...), err
}

// kernelCases reads the written kernels.
func kernelCases() ([]Case, error) {
	names, err := fs.Glob(kernelFiles, "kernels/*.comp")
	if err != nil {
		return nil, err
	}
	var list []Case
	for _, name := range names {
		text, err := kernelFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := Parse(name, string(text))
		if err != nil {
			return nil, err
		}
		c.Name = fmt.Sprintf("kernel.%s", strings.TrimSuffix(path.Base(name), ".comp"))
		list = append(list, *c)
	}
	return list, nil
}
