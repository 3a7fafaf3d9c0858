package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
)

// movedField is the hash of the content that a document had which moved as text alone,
// because its file was not kept.
const movedField = "moved_hash"

func (c *Command) move(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	all := f.Bool("all", false, "all collections")
	key := f.String("to-key", c.Getenv("LECTERN_TO_KEY"), "key, where the other service asks for one (LECTERN_TO_KEY)")
	rest, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	to, err := (&options{url: rest[0], key: *key}).api()
	if err != nil {
		return Failed, fmt.Errorf("%q is no address such as https://lectern.example.com", rest[0])
	}
	collections, err := o.chosen(ctx, service, *all)
	if err != nil {
		return Failed, err
	}
	here, there := make([]map[string]document, len(collections)), make([]map[string]document, len(collections))
	var skills []skillEntry
	skillsThere := map[string][]skillEntry{}
	n := 0
	for _, collection := range withDefault(collections, *all) {
		found, err := service.skills(ctx, collection)
		if err != nil {
			return Failed, err
		}
		if len(found) == 0 {
			continue
		}
		if skillsThere[collection], err = to.skills(ctx, collection); err != nil {
			return Failed, err
		}
		skills = append(skills, found...)
	}
	n += len(skills)
	for i, collection := range collections {
		if here[i], err = service.documents(ctx, collection); err != nil {
			return Failed, err
		}
		if there[i], err = to.documents(ctx, collection); err != nil {
			return Failed, err
		}
		n += len(here[i])
	}
	r := c.report(o, n)
	for i, collection := range collections {
		for _, artifact := range slices.Sorted(maps.Keys(here[i])) {
			d, was := here[i][artifact], there[i][artifact]
			out := outcome{File: artifact, Artifact: artifact, Done: "unchanged"}
			if hash := d.text("content_hash"); hash == "" || was.text("content_hash") != hash && was.text(movedField) != hash {
				out.Done = "moved"
				if err := service.moveTo(ctx, to, collection, &d); err != nil {
					if stopped(ctx, err) {
						return Failed, fmt.Errorf("stopped after %d of %d; the same command goes on: %w", r.n, r.of, err)
					}
					out.Done, out.Error = "", err.Error()
				}
			}
			if err := r.tell(out); err != nil {
				return Failed, err
			}
		}
	}
	for i := range skills {
		s := &skills[i]
		out := outcome{File: "skill " + s.Title}
		if out.Done, err = service.moveSkill(ctx, to, s, skillsThere[s.Collection]); err != nil {
			if stopped(ctx, err) {
				return Failed, fmt.Errorf("stopped after %d of %d; the same command goes on: %w", r.n, r.of, err)
			}
			out.Done, out.Error = "", err.Error()
		}
		if err := r.tell(out); err != nil {
			return Failed, err
		}
	}
	return r.end()
}

// withDefault adds the collection of skills that name none.
func withDefault(collections []string, all bool) []string {
	const name = "default"
	if !all || slices.Contains(collections, name) {
		return collections
	}
	return append(slices.Clone(collections), name)
}

// moveTo brings a document to another service, with its metadata.
func (a *api) moveTo(ctx context.Context, to *api, collection string, d *document) error {
	metadata := d.owned()
	for _, field := range []string{hashField, rootField} { // so that a sync there finds nothing changed
		if v, ok := d.Metadata[field]; ok {
			metadata[field] = v
		}
	}
	file := cmp.Or(d.text("file_name"), path.Base(d.Artifact))
	data, found, err := a.original(ctx, collection, d.Artifact)
	if err != nil {
		return err
	}
	if !found {
		text, err := a.textOf(ctx, collection, d.Artifact)
		if err != nil {
			return err
		}
		data, file, metadata[movedField] = []byte(text), file+".md", d.text("content_hash")
	}
	return to.bring(ctx, collection, d.Artifact, file, data, metadata)
}
