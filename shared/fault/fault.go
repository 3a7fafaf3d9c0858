// Package fault is the one error type that crosses packages: a code that
// callers act on, a public message, and a private cause for the log. Package
// rest maps codes to HTTP statuses.
//
// A plain error (one without a fault in its chain) counts as Internal: its
// text never reaches a client.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Code says what kind of failure an error is.
type Code int

// The codes. Internal is the zero value, so that an unclassified error is a
// server error.
const (
	Internal     Code = iota // a bug or an unclassified failure
	Malformed                // the request cannot be parsed, or its cursors are unusable
	Unauthorized             // no acceptable credentials
	Forbidden                // the caller or the target is not allowed
	NotFound                 // the named thing does not exist
	NotAllowed               // the path exists, the method does not
	Conflict                 // another request or writer was first
	TooLarge                 // a body, message or document is over its limit
	Invalid                  // fields or rules are violated; see Problems
	RateLimited              // too many requests
	Unsupported              // the capability is not configured in this deployment
	Upstream                 // a provider rejected the request or failed
	Unavailable              // a dependency is down or not configured
	Overloaded               // a provider is overloaded
	Cancelled                // the caller disconnected or cancelled
	OutOfRange               // the requested range lies outside the content
)

// Error is a classified failure.
type Error struct {
	Code     Code
	Msg      string    // public; empty means the code's standard text
	Cause    error     // private; for the log
	Problems []Problem // every violation found; only with Invalid

	// RetryAfter, when positive, tells the client how long to wait.
	RetryAfter time.Duration
	// NoRetry marks a failure that a retry cannot fix.
	NoRetry bool
	// Details are machine-readable extras for the error object.
	Details map[string]any
	// Loose renders the problems' text as one string instead of a list.
	Loose bool
}

// Problem is one violated rule of a request.
type Problem struct {
	Loc   []any          `json:"loc"`  // "body", "query", "path", "header" or "form", then keys and zero-based indexes
	Msg   string         `json:"msg"`  // a sentence for people
	Type  string         `json:"type"` // a stable identifier for programs
	Input any            `json:"input,omitempty"`
	Ctx   map[string]any `json:"ctx,omitempty"`
}

// Place writes the location as a path, such as tools[0].name, without the part of
// the request that it starts with; empty when it names that part only.
func (p *Problem) Place() string {
	var place strings.Builder
	for i, l := range p.Loc {
		switch l := l.(type) {
		case string:
			if i == 0 {
				continue // body, query …
			}
			if place.Len() > 0 {
				place.WriteByte('.')
			}
			place.WriteString(l)
		case int:
			place.WriteString("[" + strconv.Itoa(l) + "]")
		}
	}
	return place.String()
}

// Sentence returns the message, preceded by its place.
func (p *Problem) Sentence() string {
	if place := p.Place(); place != "" {
		return place + ": " + p.Msg
	}
	return p.Msg
}

// New makes an error with a public message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Wrap makes an error with a public message and a private cause.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...), Cause: cause}
}

// Field makes an Invalid error about one place in the request. kind is the
// problem's type, loc its path, as in Problem.
func Field(kind, msg string, loc ...any) *Error {
	return Problems([]Problem{{Loc: loc, Msg: msg, Type: kind}})
}

// Problems makes an Invalid error that lists every violation.
func Problems(list []Problem) *Error {
	e := &Error{Code: Invalid, Problems: list}
	if len(list) > 0 {
		e.Msg = list[0].Msg
	}
	return e
}

func (e *Error) Error() string {
	msg := e.Msg
	if msg == "" {
		msg = e.Code.String()
	}
	if e.Cause != nil {
		return msg + ": " + e.Cause.Error()
	}
	return msg
}

func (e *Error) Unwrap() error { return e.Cause }

// As returns the first fault in err's chain, or nil. The system's word that a disk
// takes no more is one too, wherever it comes from.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Error{Code: Unavailable, RetryAfter: diskWait, Cause: err,
			Msg: "the disk of the service is full; nothing was lost, and what is stored can be read: make room and send the request again"}
	case errors.Is(err, syscall.EROFS):
		return &Error{Code: Unavailable, RetryAfter: diskWait, Cause: err, Msg: "the disk of the service takes no writes"}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &Error{Code: Unavailable, RetryAfter: diskWait, Cause: err, Msg: "the service has too many files and connections open; send the request again"}
	case errors.Is(err, syscall.EIO):
		return &Error{Code: Unavailable, RetryAfter: diskWait, Cause: err, Msg: "the disk of the service failed, and nothing more was stored; " +
			"the operator should look at the disk, and start the service again where this goes on"}
	}
	return nil
}

// diskWait is when a request that found the disk full may be sent again.
const diskWait = 30 * time.Second

// Public returns the text of an error that a client may read: its problems, or
// its message. For an internal error it is a fixed text.
func Public(err error) string {
	f := As(err)
	switch {
	case f == nil || f.Code == Internal:
		return "an internal error occurred"
	case len(f.Problems) > 0:
		parts := make([]string, len(f.Problems))
		for i, p := range f.Problems {
			parts[i] = p.Msg
		}
		return strings.Join(parts, "; ")
	case f.Msg != "":
		return f.Msg
	}
	return f.Code.String()
}

// CodeOf returns the code of the first fault in err's chain, and Internal when
// there is none, also for nil.
func CodeOf(err error) Code {
	if e := As(err); e != nil {
		return e.Code
	}
	return Internal
}

// Is reports whether err carries code. It is false for nil.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }

var names = [...]string{
	Internal: "internal error", Malformed: "malformed request", Unauthorized: "authentication required",
	Forbidden: "not permitted", NotFound: "not found", NotAllowed: "method not allowed", Conflict: "conflict",
	TooLarge: "too large", Invalid: "invalid request", RateLimited: "too many requests",
	Unsupported: "not supported by this deployment", Upstream: "the model provider failed",
	Unavailable: "temporarily unavailable", Overloaded: "the model provider is overloaded", Cancelled: "cancelled",
	OutOfRange: "range not satisfiable",
}

func (c Code) String() string {
	if c < 0 || int(c) >= len(names) {
		return names[Internal]
	}
	return names[c]
}
