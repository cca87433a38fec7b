package cases

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"vyretop/engine/conformance"
)

//go:embed kernels/*.comp
var kernelFiles embed.FS

// All makes every case. Their operands follow from the seed; the special values among them do not.
func All(seed uint64) ([]conformance.Case, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []conformance.Case
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
func kernelCases() ([]conformance.Case, error) {
	names, err := fs.Glob(kernelFiles, "kernels/*.comp")
	if err != nil {
		return nil, err
	}
	var list []conformance.Case
	for _, name := range names {
		text, err := kernelFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := conformance.Parse(name, string(text))
		if err != nil {
			return nil, err
		}
		c.Name = fmt.Sprintf("kernel.%s", strings.TrimSuffix(path.Base(name), ".comp"))
		list = append(list, *c)
	}
	return list, nil
}
