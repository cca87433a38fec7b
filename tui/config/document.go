package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"vyretop/megakernel/alert"
	"vyretop/megakernel/stats"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// Default is a configuration file with every setting, every action and the default alerts. It says what
// is so without one.
func Default() string {
	var b strings.Builder
	b.WriteString("# Configuration of vyretop. What is commented out is the default.\n# Flags override environment variables, which override this file.\n")
	for _, s := range settings(&Settings{}) {
		fmt.Fprintf(&b, "\n# %s; --%s, %s\n", s.help(), s.flag(), s.variable())
		fmt.Fprintf(&b, "#%s = %s\n", s.key, tomlValue(defaults[s.key]))
	}
	b.WriteString("\n# Keys by action; an action may have several, or none with [].\n[keys]\n")
	for _, k := range pane.Keys().Bindings {
		fmt.Fprintf(&b, "#%s = %s # %s\n", k.ID, tomlValue(k.Keys), k.Help)
	}
	b.WriteString("\n# Alerts: a condition over metrics (vyretop help metrics), which may have to hold for a time, or bounds of a\n# metric. do: badge, bell, snapshot. One [[alert]] replaces all of these.\n")
	for _, r := range alert.Default() {
		b.WriteString(alertTOML(&r))
	}
	return b.String()
}

// help says what the setting does, and what it may be.
func (s *setting) help() string {
	text := s.field.Tag.Get("help")
	switch {
	case s.key == "theme":
		text += ": " + strings.Join(theme.Names(), ", ")
	case s.field.Tag.Get("enum") != "":
		text += ": " + strings.ReplaceAll(s.field.Tag.Get("enum"), ",", ", ")
	case s.field.Tag.Get("max") != "":
		text += fmt.Sprintf(", %s to %s", s.field.Tag.Get("min"), s.field.Tag.Get("max"))
	}
	return text
}

func alertTOML(r *alert.Rule) string {
	var b strings.Builder
	b.WriteString("#[[alert]]\n")
	v := reflect.ValueOf(*r)
	for i := range v.NumField() {
		if field := v.Field(i); !field.IsZero() {
			fmt.Fprintf(&b, "#%s = %s\n", v.Type().Field(i).Tag.Get("toml"), tomlValue(field.Interface()))
		}
	}
	return b.String()
}

// tomlValue writes a text, a number, a boolean or a list of texts.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		quoted := make([]string, len(v))
		for i := range v {
			quoted[i] = strconv.Quote(v[i])
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

// Schema is the JSON schema of the configuration file, for editors.
func Schema() map[string]any {
	properties := map[string]any{}
	for _, s := range settings(&Settings{}) {
		properties[s.key] = s.schema()
	}
	keys := map[string]any{}
	for _, k := range pane.Keys().Bindings {
		keys[k.ID] = map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "default": k.Keys, "description": k.Help}
	}
	properties["keys"] = object(keys)
	properties["alert"] = map[string]any{"type": "array", "items": alertSchema()}
	out := object(properties)
	out["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	out["title"] = "configuration of vyretop"
	return out
}

func object(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

func (s *setting) schema() map[string]any {
	out := map[string]any{"description": s.field.Tag.Get("help"), "default": defaults[s.key]}
	switch s.field.Type.Elem().Kind() {
	case reflect.Bool:
		out["type"] = "boolean"
	case reflect.Int:
		out["type"] = "integer"
	default:
		out["type"] = "string"
	}
	if words := s.field.Tag.Get("enum"); words != "" {
		out["enum"] = strings.Split(words, ",")
	}
	for tag, member := range map[string]string{"min": "minimum", "max": "maximum"} {
		if n, err := strconv.Atoi(s.field.Tag.Get(tag)); err == nil {
			out[member] = n
		}
	}
	return out
}

func alertSchema() map[string]any {
	bound := map[string]any{"type": "integer", "minimum": 0}
	out := object(map[string]any{
		"name":       map[string]any{"type": "string", "minLength": 1},
		"when":       map[string]any{"type": "string", "description": `a filter over metrics; it may end with "for" and a duration`},
		"metric":     map[string]any{"enum": stats.MetricNames()},
		"warn":       bound,
		"critical":   bound,
		"hysteresis": map[string]any{"type": "integer", "minimum": 0, "maximum": 100, "description": "percent below a bound at which the alert ends", "default": alert.DefaultHysteresis},
		"level":      map[string]any{"enum": []string{"warning", "critical"}, "default": "warning"},
		"do":         map[string]any{"type": "array", "items": map[string]any{"enum": alert.Actions}, "default": []string{alert.DoBadge}},
	})
	out["required"] = []string{"name"}
	out["oneOf"] = []any{map[string]any{"required": []string{"when"}}, map[string]any{"required": []string{"metric"}}}
	return out
}
