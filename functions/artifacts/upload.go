package artifacts

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
)

// ingestForm describes the parts of an ingest of files.
type ingestForm struct {
	File       []string `json:"file" required:"true" format:"binary" doc:"one part a file; a zip counts as the files in it"`
	Collection string   `json:"collection,omitempty" doc:"default: vendor_collection"`
	Artifact   string   `json:"artifact,omitempty" doc:"identifier of a single file; default: the names of the files"`
	Metadata   string   `json:"metadata,omitempty" doc:"JSON object, the metadata of every file"`
}

// receipt is a list of artifacts, with what could not be ingested beside it when
// there were several files.
type receipt struct {
	list
	Errors []artifact.Failure `json:"errors,omitempty"`
}

// ingest takes a JSON body, or a form with files.
func (d Deps) ingest(w http.ResponseWriter, r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return d.ingestFiles(w, r)
	}
	body, err := rest.Decode[artifact.Body](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	doc, err := d.Artifacts.Ingest(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, newList(doc))
}

// ingestLater takes a JSON body, or a form with one file.
func (d Deps) ingestLater(w http.ResponseWriter, r *http.Request) error {
	var body *tasks.IngestBody
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		in, err := filesOf(w, r)
		if err != nil {
			return err
		}
		if len(in.Files) != 1 {
			return fault.Field("value_error", "a task ingests one file: send a form for each", "form", "file")
		}
		file := in.Files[0]
		name := strings.ReplaceAll(file.Name, `\`, "/")
		body = &tasks.IngestBody{Body: &artifact.Body{Artifact: cmp.Or(in.Artifact, name), Collection: in.Collection, Metadata: in.Metadata,
			Input: &artifact.Input{Type: "file", Value: base64.StdEncoding.EncodeToString(file.Data)}}}
		if body.Body.Metadata == nil {
			body.Body.Metadata = map[string]any{}
		}
		if _, named := body.Body.Metadata["file_name"]; !named {
			body.Body.Metadata["file_name"] = path.Base(name)
		}
	} else {
		var err error
		if body, err = rest.Decode[tasks.IngestBody](w, r, rest.LargeBody); err != nil {
			return err
		}
	}
	id, err := d.Tasks.Ingest(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, taskAnswer{id})
}

func (d Deps) ingestFiles(w http.ResponseWriter, r *http.Request) error {
	in, err := filesOf(w, r)
	if err != nil {
		return err
	}
	docs, failures, err := d.Artifacts.IngestFiles(r.Context(), in)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, receipt{newList(docs...), failures})
}

// filesOf reads a form of files.
func filesOf(w http.ResponseWriter, r *http.Request) (*artifact.Files, error) {
	form, err := rest.ReadForm(w, r, rest.LargeBody)
	if err != nil {
		return nil, err
	}
	in := &artifact.Files{Collection: artifact.DefaultCollection, Artifact: form.Values.Get("artifact")}
	var problems []fault.Problem
	wrong := func(kind, msg string, loc ...any) {
		problems = append(problems, fault.Problem{Loc: append([]any{"form"}, loc...), Msg: msg, Type: kind})
	}
	for _, field := range slices.Sorted(maps.Keys(form.Values)) {
		if field != "collection" && field != "artifact" && field != "metadata" {
			wrong("extra_forbidden", "a form has the fields file, collection, artifact and metadata", field)
		}
	}
	if where := r.URL.Query(); where.Has("collection") && !form.Values.Has("collection") {
		form.Values.Set("collection", where.Get("collection")) // beside a file people write it into the address
	}
	if form.Values.Has("collection") {
		in.Collection = form.Values.Get("collection")
		if n := utf8.RuneCountInString(in.Collection); n < 1 || n > 255 {
			wrong("value_error", "a collection's name should have 1 to 255 characters", "collection")
		}
	}
	if raw := form.Values.Get("metadata"); raw != "" {
		if err := json.Unmarshal([]byte(raw), &in.Metadata); err != nil || in.Metadata == nil {
			wrong("dict_type", "metadata should be a JSON object", "metadata")
		}
	}
	for i, f := range form.Files {
		switch strings.TrimSuffix(f.Field, "[]") {
		case "file", "files":
		default:
			wrong("extra_forbidden", "files are sent as parts called file", f.Field)
			continue
		}
		if f.Name == "" {
			wrong("missing", "a file needs a file name", "file", i)
		}
		in.Files = append(in.Files, artifact.File{Name: f.Name, Data: f.Data})
	}
	if len(problems) > 0 {
		return nil, fault.Problems(problems)
	}
	return in, nil
}
