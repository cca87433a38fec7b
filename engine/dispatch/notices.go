package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/units"
)

// Notices are what the caller of a dispatch should know beside its outputs: where the kernel leaves the kernel language, and what
// it executed that GLSL does not define. file is the kernel's.
func (r *Result) Notices(file string) []string {
	return append(append(outsideNotices(r.Program), r.gridNotices()...), undefinedNotices(file, r.Undefined)...)
}

// gridNotices tell of a grid that was derived for a kernel that probably wants another one.
func (r *Result) gridNotices() []string {
	size := workgroupOf(r.Program, r.Launch.Workgroup)
	if !r.derived || size[1] == 1 && size[2] == 1 {
		return nil
	}
	return []string{fmt.Sprintf("no grid is given, and its %d workgroups of %s are along x only. Fix: give --grid X,Y,Z", r.Launch.Grid[0], extent(size))}
}

// mostUndefined is how many places are told at which a dispatch executed what GLSL does not define.
const mostUndefined = 8

// undefinedNotices tell what a dispatch executed that GLSL does not define.
func undefinedNotices(file string, list []engine.Undefined) (out []string) {
	if len(list) == 0 {
		return nil
	}
	for _, u := range list[:min(len(list), mostUndefined)] {
		text := fmt.Sprintf("%v: %s", u.Pos, u.What)
		if at := u.First; at != nil && at.Len > 0 {
			text += fmt.Sprintf(", index %d of %d", int32(at.Index), at.Len)
		}
		out = append(out, text+", "+units.Plural(int(u.Times), "time"))
	}
	return append(out, fmt.Sprintf("undefined behavior at %s: a device may give other results than the reference backend. Fix: find the cause with vyretop check --run %s and the same flags", units.Plural(len(list), "place"), file))
}

// outsideNotices tell where a kernel leaves the kernel language, and what of it nothing sets.
func outsideNotices(p *engine.Program) []string {
	if len(p.Outside) == 0 {
		return nil
	}
	first := p.Outside[0]
	out := []string{fmt.Sprintf("%v: %s, so only a driver can run the kernel, and the result cannot be verified (vyretop check lists %d such places)", first.Pos, first.Message, len(p.Outside))}
	words := strings.FieldsFunc(p.Text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if slices.ContainsFunc(words, glsl.IsOpaque) {
		out = append(out, first.Pos.File+": uniforms keep their initial values, and no images or textures are bound")
	}
	return out
}
