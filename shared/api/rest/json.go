package rest

import (
	"context"
	"net/http"
	"reflect"

	"lectern/shared/api/schema"
)

// JSON is the handler of an endpoint that takes JSON or a query string and
// answers with JSON: it decodes an In, calls f, and encodes the Out.
//
// In is decoded from the body, or from the query string if the method has no
// body, by the rules of package schema. Fields with json:"-" may hold a path
// parameter (path:"name"), a header (header:"Name") or, next to a body, a query
// parameter (query:"name"); these are strings, empty when absent. The OpenAPI
// document is generated from the same two types.
func JSON[In, Out any](f func(context.Context, *In) (Out, error)) Handler {
	e := endpoint[In, Out]{call: f, decodes: len(schema.Names(*new(In))) > 0}
	t := reflect.TypeFor[In]()
	for i := range t.NumField() {
		for _, kind := range []string{"path", "header", "query"} {
			if name, ok := t.Field(i).Tag.Lookup(kind); ok {
				e.extra = append(e.extra, extra{i, kind, name})
			}
		}
	}
	return e
}

type endpoint[In, Out any] struct {
	call    func(context.Context, *In) (Out, error)
	decodes bool // In has fields that are decoded
	extra   []extra
}

// extra is a field that is not decoded from the body or the query string.
type extra struct {
	index      int
	kind, name string
}

// Serve implements Handler.
func (e endpoint[In, Out]) Serve(w http.ResponseWriter, r *http.Request, route *Route) error {
	in := new(In)
	if e.decodes {
		if err := decode(w, r, route, in); err != nil {
			return err
		}
	}
	for _, x := range e.extra {
		value := ""
		switch x.kind {
		case "path":
			value = r.PathValue(x.name)
		case "header":
			value = r.Header.Get(x.name)
		case "query":
			value = r.URL.Query().Get(x.name)
		}
		reflect.ValueOf(in).Elem().Field(x.index).SetString(value)
	}
	out, err := e.call(r.Context(), in)
	if err != nil {
		return err
	}
	return Write(w, http.StatusOK, out)
}

func decode(w http.ResponseWriter, r *http.Request, route *Route, in any) error {
	if !route.hasBody() {
		return schema.Values(r.URL.Query(), in, "query")
	}
	raw, err := ReadBody(w, r, route.bodyLimit())
	if err != nil {
		return err
	}
	return Work(r.Context(), len(raw), func() error { return schema.Decode(raw, in, "body") })
}

// types returns an In and an Out; in is nil if In has no decoded fields.
func (e endpoint[In, Out]) types() (in, out any) {
	if e.decodes {
		in = *new(In)
	}
	t := reflect.TypeFor[Out]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return in, reflect.Zero(t).Interface()
}

// Wrap returns the route with f around its handler. Its description stays the same.
func (r Route) Wrap(f func(HandlerFunc) HandlerFunc) Route {
	r.Handle = wrapped{r.Handle, f}
	return r
}

type wrapped struct {
	Handler
	around func(HandlerFunc) HandlerFunc
}

// Serve implements Handler.
func (h wrapped) Serve(w http.ResponseWriter, r *http.Request, route *Route) error {
	return h.around(func(w http.ResponseWriter, r *http.Request) error { return h.Handler.Serve(w, r, route) })(w, r)
}

// Types returns values of the types of the query, the body and the answer of the
// route; nil for none.
func (r Route) Types() (query, body, answer any) {
	h := r.Handle
	if w, ok := h.(wrapped); ok {
		h = w.Handler
	}
	e, ok := h.(interface{ types() (in, out any) })
	if !ok {
		return r.Query, r.Body, r.Answer
	}
	in, answer := e.types()
	if r.hasBody() {
		return r.Query, in, answer
	}
	return in, nil, answer
}

func (r *Route) hasBody() bool {
	method, _ := r.Methods()
	return method == http.MethodPost || method == http.MethodPut
}

func (r *Route) bodyLimit() int64 {
	if r.Large {
		return LargeBody
	}
	return SmallBody
}
