package workload

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// rawManifest is workload.toml as TOML sees it. Values of type any are expressions.
type rawManifest struct {
	Name        string      `toml:"name"`
	Title       string      `toml:"title"`
	Driver      string      `toml:"driver"`
	Iterations  *int64      `toml:"iterations"`
	Operations  bool        `toml:"operations"`
	Observables *int64      `toml:"observables"`
	Automaton   string      `toml:"automaton"`
	Examples    []string    `toml:"examples"`
	Unordered   bool        `toml:"unordered_spawns"`
	AnyResults  bool        `toml:"unordered_results"`
	Flag        []rawFlag   `toml:"flag"`
	Buffer      []rawBuffer `toml:"buffer"`
	Opcode      []rawOpcode `toml:"opcode"`
	Task        []rawTask   `toml:"task"`
	Verify      []rawCheck  `toml:"verify"`

	Progress *rawProgress `toml:"progress"`
}

type rawProgress struct {
	Buffer string `toml:"buffer"`
	Word   *int64 `toml:"word"`
	Total  any    `toml:"total"`
	Unit   string `toml:"unit"`
}

type rawFlag struct {
	Name    string `toml:"name"`
	Default *int64 `toml:"default"`
	Min     *int64 `toml:"min"`
	Max     *int64 `toml:"max"`
	Help    string `toml:"help"`
}

type rawBuffer struct {
	Name        string   `toml:"name"`
	Binding     *int64   `toml:"binding"`
	Words       any      `toml:"words"`
	Fill        any      `toml:"fill"`
	File        string   `toml:"file"`
	Values      []uint32 `toml:"values"`
	HostVisible bool     `toml:"host_visible"`
	Unordered   bool     `toml:"unordered"`

	Picture *rawPicture `toml:"picture"`
}

type rawPicture struct {
	Width  any    `toml:"width"`
	Height any    `toml:"height"`
	Format string `toml:"format"`
	Mean   bool   `toml:"mean"`
	Linear bool   `toml:"linear"`
}

type rawOpcode struct {
	Number  *int64 `toml:"number"`
	Name    string `toml:"name"`
	Handler string `toml:"handler"`
	File    string `toml:"file"`

	Scope       string `toml:"scope"`
	Cooperative bool   `toml:"cooperative"`
}

type rawTask struct {
	Opcode   any    `toml:"opcode"`
	Count    any    `toml:"count"`
	Priority any    `toml:"priority"`
	Tenant   *int64 `toml:"tenant"`
	Input    any    `toml:"input"`
	Output   any    `toml:"output"`
	Param    any    `toml:"param"`
}

type rawCheck struct {
	Buffer  string   `toml:"buffer"`
	File    string   `toml:"file"`
	Values  []uint32 `toml:"values"`
	SHA256  string   `toml:"sha256"`
	Value   any      `toml:"value"`
	Faulted *int64   `toml:"faulted"`
}

// lineIndex gives the line of a key such as "buffer.2.binding" or of a table such as "buffer.2".
type lineIndex map[string]int

// indexLines reads the lines of all keys; what follows a syntax error is not indexed.
func indexLines(text []byte) lineIndex {
	idx := lineIndex{}
	var p unstable.Parser
	p.Reset(text)
	table, seen := "", map[string]int{}
	for p.NextExpression() {
		n := p.Expression()
		key, line := keyOf(&p, n)
		switch n.Kind {
		case unstable.Table:
			table = key
		case unstable.ArrayTable:
			table = itemKey(key, seen[key])
			seen[key]++
		case unstable.KeyValue:
			if table != "" {
				key = table + "." + key
			}
			idx.add(key, line)
			continue
		default:
			continue
		}
		idx.add(table, line)
	}
	return idx
}

func (idx lineIndex) add(key string, line int) {
	if _, ok := idx[key]; !ok {
		idx[key] = line
	}
}

// keyOf gives the dotted key of an expression, and its line.
func keyOf(p *unstable.Parser, n *unstable.Node) (key string, line int) {
	if n.Kind != unstable.Table && n.Kind != unstable.ArrayTable && n.Kind != unstable.KeyValue {
		return "", 0
	}
	var parts []string
	for it := n.Key(); it.Next(); {
		if line == 0 {
			line = p.Shape(it.Node().Raw).Start.Line
		}
		parts = append(parts, string(it.Node().Data))
	}
	return joinKey(parts), line
}

// find gives the line of the key, or of the innermost thing around it that has one.
func (idx lineIndex) find(key string) int {
	for key != "" {
		if line, ok := idx[key]; ok {
			return line
		}
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
	return 0
}

func joinKey(parts []string) string { return strings.Join(parts, ".") }
