package skill

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Limits of the frontmatter.
const (
	maxFrontmatterBytes = 64 << 10
	maxDepth            = 10
	maxNameRunes        = 64
	maxDescriptionRunes = 1024
)

const (
	missingFrontmatter   = "MISSING_FRONTMATTER"
	invalidFrontmatter   = "INVALID_FRONTMATTER"
	nameRequired         = "NAME_REQUIRED"
	nameTooLong          = "NAME_TOO_LONG"
	nameInvalidFormat    = "NAME_INVALID_FORMAT"
	nameHyphens          = "NAME_CONSECUTIVE_HYPHENS"
	descriptionRequired  = "DESCRIPTION_REQUIRED"
	descriptionTooLong   = "DESCRIPTION_TOO_LONG"
	metadataEmptyKey     = "METADATA_EMPTY_KEY"
	metadataInvalidValue = "METADATA_INVALID_VALUE"
)

// Frontmatter is the YAML head of a SKILL.md.
type Frontmatter struct {
	Name          string            `json:"name"`
	Description   string            `json:"description"`
	License       string            `json:"license,omitempty"`
	Compatibility string            `json:"compatibility,omitempty"`
	Metadata      map[string]string `json:"metadata,omitempty"`
	AllowedTools  []string          `json:"allowed_tools,omitzero"`
}

var nameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

// split separates a SKILL.md into its head and the instructions.
func split(text string) (head, body string, ok bool) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, false
	}
	for at := 0; at < len(rest); {
		line, _, _ := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			return rest[:at], strings.TrimPrefix(rest[at+len(line):], "\n"), true
		}
		at += len(line) + 1
	}
	return "", text, false
}

func parseFrontmatter(text string) (Frontmatter, []Violation) {
	var f Frontmatter
	head, _, ok := split(text)
	if !ok || !utf8.ValidString(text) {
		return f, []Violation{violation(missingFrontmatter, "SKILL.md does not begin with frontmatter between lines of three hyphens")}
	}
	invalid := func(msg string) []Violation { return []Violation{violation(invalidFrontmatter, msg)} }
	if len(head) > maxFrontmatterBytes {
		return f, invalid("the frontmatter is too long")
	}
	// A node tree does not expand aliases, so that its size is bounded by the text.
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(head), &doc); err != nil {
		return f, invalid("the frontmatter is not valid YAML")
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return f, append(invalid("the frontmatter should be a mapping"), f.check()...)
	}
	if msg := plain(doc.Content[0], 0); msg != "" {
		return f, invalid(msg)
	}
	problems := f.fill(doc.Content[0])
	return f, append(problems, f.check()...)
}

// plain returns why a tree is not plain data; empty if it is.
func plain(n *yaml.Node, depth int) string {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return "the frontmatter should not use anchors and aliases"
	}
	if depth > maxDepth {
		return "the frontmatter is nested too deeply"
	}
	for _, c := range n.Content {
		if msg := plain(c, depth+1); msg != "" {
			return msg
		}
	}
	return ""
}

// fill reads the known fields and ignores others.
func (f *Frontmatter) fill(m *yaml.Node) []Violation {
	var problems []Violation
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i].Value, m.Content[i+1]
		if seen[key] {
			problems = append(problems, violation(invalidFrontmatter, "a field stands twice", "field", shownPath(key)))
			continue
		}
		seen[key] = true
		var to *string
		switch key {
		case "name":
			to = &f.Name
		case "description":
			to = &f.Description
		case "license":
			to = &f.License
		case "compatibility":
			to = &f.Compatibility
		case "metadata":
			problems = append(problems, f.fillMetadata(value)...)
			continue
		case "allowed-tools", "allowed_tools":
			tools, ok := toolsOf(value)
			if f.AllowedTools = tools; !ok {
				problems = append(problems, violation(invalidFrontmatter, "allowed-tools should be a list or a line of tool names", "field", key))
			}
			continue
		default:
			continue
		}
		if value.Kind != yaml.ScalarNode {
			problems = append(problems, violation(invalidFrontmatter, "a field should be text", "field", key))
			continue
		}
		if value.Tag != "!!null" {
			*to = strings.TrimSpace(value.Value)
		}
	}
	return problems
}

func (f *Frontmatter) fillMetadata(n *yaml.Node) []Violation {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return []Violation{violation(metadataInvalidValue, "metadata should be a mapping of texts")}
	}
	var problems []Violation
	f.Metadata = map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := strings.TrimSpace(n.Content[i].Value), n.Content[i+1]
		switch {
		case key == "":
			problems = append(problems, violation(metadataEmptyKey, "metadata has an empty key"))
		case n.Content[i].Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || value.Tag == "!!null":
			problems = append(problems, violation(metadataInvalidValue, "a value of metadata should be text", "key", shownPath(key)))
		default:
			f.Metadata[key] = value.Value
		}
	}
	return problems
}

// toolsOf reads tool names from a list, or from a text with commas or spaces outside
// of brackets as separators.
func toolsOf(n *yaml.Node) ([]string, bool) {
	switch {
	case n.Tag == "!!null":
		return nil, true
	case n.Kind == yaml.SequenceNode:
		list := []string{}
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				return nil, false
			}
			if name := strings.TrimSpace(c.Value); name != "" {
				list = append(list, name)
			}
		}
		return list, true
	case n.Kind != yaml.ScalarNode:
		return nil, false
	}
	depth := 0
	return strings.FieldsFunc(n.Value, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && (r == ',' || unicode.IsSpace(r))
	}), true
}

// check validates name and description.
func (f *Frontmatter) check() []Violation {
	var problems []Violation
	switch n := utf8.RuneCountInString(f.Name); {
	case n == 0:
		problems = append(problems, violation(nameRequired, "the frontmatter needs a name"))
	default:
		if n > maxNameRunes {
			problems = append(problems, violation(nameTooLong, fmt.Sprintf("the name should have at most %d characters", maxNameRunes),
				"max_length", maxNameRunes, "length", n))
		}
		if !nameForm.MatchString(f.Name) {
			problems = append(problems, violation(nameInvalidFormat,
				"the name should hold lower-case letters, digits and hyphens, and neither begin nor end with a hyphen", "name", shownPath(f.Name)))
		}
		if strings.Contains(f.Name, "--") {
			problems = append(problems, violation(nameHyphens, "the name should not hold two hyphens in a row", "name", shownPath(f.Name)))
		}
	}
	switch n := utf8.RuneCountInString(f.Description); {
	case n == 0:
		problems = append(problems, violation(descriptionRequired, "the frontmatter needs a description"))
	case n > maxDescriptionRunes:
		problems = append(problems, violation(descriptionTooLong, fmt.Sprintf("the description should have at most %d characters",
			maxDescriptionRunes), "max_length", maxDescriptionRunes, "length", n))
	}
	return problems
}
