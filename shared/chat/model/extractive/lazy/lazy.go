// Package lazy has regular expressions that are compiled when they are first used: most answers need few of them, and compiling
// all would slow every cold start.
package lazy

import (
	"regexp"
	"sync"
)

// Pattern is such an expression. Safe for concurrent use.
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New returns a pattern. It is so short that variables of it need no code at the start.
func New(text string) *Pattern { return &Pattern{text: text} }

// Get returns the compiled expression.
func (p *Pattern) Get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// In reports whether a text has what the pattern matches.
func (p *Pattern) In(text string) bool { return p.Get().MatchString(text) }
