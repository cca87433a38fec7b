package glsl

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
)

// add records a diagnostic. An error at a place that has one already is dropped: it would only
// repeat the first in other words.
func (p *parser) add(d source.Diagnostic) {
	if p.recovering {
		return
	}
	if d.Severity == source.Warning && len(p.diags) >= maxErrors+maxWarnings {
		return
	}
	if d.Severity == source.Warning && slices.Contains(p.diags, d) {
		return // of a copy of a function
	}
	if d.Severity == source.Error {
		for _, old := range p.diags {
			if old.Severity == source.Error && old.Pos == d.Pos {
				return
			}
		}
		p.errors++
	}
	p.diags = append(p.diags, d)
	if p.errors >= maxErrors {
		p.failed, p.recovering = true, true
	}
}

// malformed reports text that no GLSL compiler accepts.
func (p *parser) malformed(pos source.Pos, construct, fix, format string, args ...any) {
	p.add(source.Diagnostic{Pos: pos, Kind: source.Malformed, Construct: construct,
		Message: fmt.Sprintf(format, args...), Fix: fix})
}

// outside reports GLSL that is not part of the kernel language.
func (p *parser) outside(pos source.Pos, construct, fix, format string, args ...any) {
	p.add(source.Diagnostic{Pos: pos, Kind: source.OutsideSubset, Construct: construct,
		Message: fmt.Sprintf(format, args...), Fix: fix})
}

// suspicious warns about text that is legal and probably not meant.
func (p *parser) suspicious(pos source.Pos, construct, fix, format string, args ...any) {
	p.add(source.Diagnostic{Pos: pos, Severity: source.Warning, Kind: source.Suspicious,
		Construct: construct, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// syntax reports a malformed text after which parsing cannot continue.
func (p *parser) syntax(pos source.Pos, construct, format string, args ...any) {
	p.malformed(pos, construct, "correct the syntax here", format, args...)
	p.recovering = true
}

// unknown reports a name that nothing declares. With an extension enabled that the subset does not
// cover, the name may well come from there; and once a declaration was lost to a syntax error, it
// may have been that one's, so that a report would only repeat the first.
func (p *parser) unknown(pos source.Pos, name, what string) {
	if p.skipped {
		return
	}
	if enable := subgroupNeeds(name); enable != "" && !p.foreign {
		p.malformed(pos, name, "write "+enable, "%s %q is known only with %s", what, name, enable)
		return
	}
	if p.foreign {
		p.outside(pos, name, "write the kernel without the extension",
			"%s %q is not declared here and may belong to an extension", what, name)
		return
	}
	p.malformed(pos, name, source.DeclareFix,
		"%s %q is not declared", what, name)
}
