package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/shared/auth/keystore"
	"lectern/shared/chat/batch"
	"lectern/shared/chat/skill"
	"lectern/shared/fault"
	"lectern/shared/file"
)

// kept is what callers were promised of files, skills, batches and keys.
type kept struct {
	files   map[string]*state // by scope and id; the content
	skills  map[string]*state // by id; the names of the versions, in order
	keys    map[string]*state // by the key; what its terms are called
	batches []string          // ids that were answered
	skill   string            // id of the last one that was made
	key     string            // id of the last one that was made
	secrets map[string]string // keys by their ids
}

func newKept() kept {
	return kept{files: map[string]*state{}, skills: map[string]*state{}, keys: map[string]*state{}, secrets: map[string]string{}}
}

// state is what a thing was answered to be, and what it may be since; "" is that it is
// not there.
type state struct {
	was   string
	maybe []string
}

// allows reports whether a thing may be what it was found to be.
func (s *state) allows(found string) bool { return found == s.was || slices.Contains(s.maybe, found) }

// of returns the state of a thing, one that is not there at first.
func of(things map[string]*state, name string) *state {
	if things[name] == nil {
		things[name] = &state{}
	}
	return things[name]
}

// becomes notes what a call made of a thing.
func (s *sim) becomes(p *process, things map[string]*state, name, value string, err error) {
	s.guard.Lock()
	defer s.guard.Unlock()
	t := of(things, name)
	if err == nil && p.ctx.Err() == nil {
		*t = state{was: value}
		return
	}
	t.maybe = append(t.maybe, value)
}

func sessions(scope string) file.Place {
	return file.Place{Namespace: file.DefaultNamespace, Scope: scope}
}

// files puts a version of a file into a session, or deletes it when version is 0.
func files(scope, id string, version int) deed {
	return func(s *sim, p *process) {
		content := ""
		var err error
		if version > 0 {
			content = fmt.Sprintf("version%d of %s", version, id)
			_, err = p.files.Put(p.ctx, sessions(scope), id, []byte(content), file.PutOptions{})
		} else {
			_, err = p.files.Delete(p.ctx, sessions(scope), id)
		}
		if fault.Is(err, fault.NotFound) && of(s.files, scope+"/"+id).allows("") {
			err = nil
		}
		s.becomes(p, s.files, scope+"/"+id, content, err)
		s.check("file", p, err)
	}
}

func bundle(version int) []skill.Part {
	return []skill.Part{{Path: "SKILL.md", Data: fmt.Appendf(nil, "---\nname: version%d\ndescription: It boils water.\n---\nBoil water.\n", version)}}
}

const skillsIn = "one"

// makesSkill makes a skill, of which nobody knows unless it was answered.
func makesSkill(s *sim, p *process) {
	k, err := p.skills.Create(p.ctx, skill.Draft{Collection: skillsIn, Loading: skill.Lazy}, bundle(1))
	if err == nil && p.ctx.Err() == nil {
		s.skill = k.ID
		s.becomes(p, s.skills, k.ID, "version1", nil)
	}
	s.check("skill", p, err)
}

// addsVersion adds a version to the last skill.
func addsVersion(version int) deed {
	return func(s *sim, p *process) {
		_, err := p.skills.AddVersion(p.ctx, skillsIn, s.skill, bundle(version))
		s.becomes(p, s.skills, s.skill, fmt.Sprintf("%s version%d", of(s.skills, s.skill).was, version), err)
		s.check("skill version", p, err)
	}
}

func dropsSkill(s *sim, p *process) {
	err := p.skills.Delete(p.ctx, skillsIn, s.skill)
	if fault.Is(err, fault.NotFound) && of(s.skills, s.skill).allows("") {
		err = nil
	}
	s.becomes(p, s.skills, s.skill, "", err)
	s.check("skill", p, err)
}

// batches starts a batch of a few requests.
func batches(s *sim, p *process) {
	var list []batch.Request
	for i := range 3 {
		list = append(list, batch.Request{ID: fmt.Sprint("r", i), Params: []byte(`{"max_tokens":3,"messages":[{"role":"user","content":"Hello"}]}`)})
	}
	b, err := p.batches.Create(p.ctx, &batch.Body{Requests: list}, "req_1")
	if err == nil && p.ctx.Err() == nil {
		s.guard.Lock()
		s.kept.batches = append(s.kept.batches, b.ID)
		s.guard.Unlock()
	}
	s.check("batch", p, err)
}

func makesKey(s *sim, p *process) {
	k, secret, err := p.keys.Create(p.ctx, keystore.Terms{Name: "first", Collections: []string{"one"}})
	if err == nil && p.ctx.Err() == nil {
		s.key, s.secrets[k.ID] = k.ID, secret
		s.becomes(p, s.keys, k.ID, "one", nil)
	}
	s.check("key", p, err)
}

// changesKey gives the last key other terms.
func changesKey(s *sim, p *process) {
	_, err := p.keys.Change(p.ctx, s.key, func(t keystore.Terms) (keystore.Terms, error) {
		t.Collections = []string{"two"}
		return t, nil
	})
	s.becomes(p, s.keys, s.key, "two", err)
	s.check("key", p, err)
}

func revokesKey(s *sim, p *process) {
	_, err := p.keys.Revoke(p.ctx, s.key)
	s.becomes(p, s.keys, s.key, "", err)
	s.check("key", p, err)
}

// dropsCollection deletes a collection, all of whose documents are noted as deleted.
func dropsCollection(name string, documents ...string) deed {
	return func(s *sim, p *process) {
		var calls []*call
		for _, d := range documents {
			c := &call{}
			s.begin(name, d, c)
			calls = append(calls, c)
		}
		_, err := p.artifacts.DeleteCollection(p.ctx, name)
		if p.ctx.Err() != nil {
			err = p.ctx.Err()
		}
		for _, c := range calls {
			s.finish(c, err)
		}
		s.check("delete collection", p, err)
	}
}

// quietKept audits what is kept, and once more after the sweep, of which nothing is left
// that nobody knows.
func (s *sim) quietKept(ctx context.Context, p *process) {
	s.quietFiles(ctx, p)
	s.quietSkills(ctx, p)
	s.quietBatches(ctx, p)
	s.quietKeys(ctx, p)
}

func (s *sim) quietFiles(ctx context.Context, p *process) {
	scopes := map[string][]string{}
	for name := range s.files {
		scope, _, _ := strings.Cut(name, "/")
		scopes[scope] = nil
	}
	for scope := range scopes {
		page, err := p.files.List(ctx, file.Query{Place: sessions(scope), Limit: 100})
		if err != nil {
			s.wrong("list of files: %v", err)
			return
		}
		for _, m := range page.Files {
			scopes[scope] = append(scopes[scope], m.ID)
		}
	}
	for name, state := range s.files {
		scope, id, _ := strings.Cut(name, "/")
		content := ""
		_, data, err := p.files.Read(ctx, sessions(scope), id, 1<<20)
		if err == nil {
			content = string(data)
		} else if !fault.Is(err, fault.NotFound) {
			s.wrong("%s: %v", name, err)
		}
		if !state.allows(content) {
			s.wrong("%s holds %q; %q was answered, %q asked for since", name, content, state.was, state.maybe)
		}
		if n := count(scopes[scope], id); (content != "") != (n == 1) || n > 1 {
			s.wrong("I1: %s holds %q and is listed %d times", name, content, n)
		}
	}
}

func count(list []string, one string) (n int) {
	for _, x := range list {
		if x == one {
			n++
		}
	}
	return n
}

func (s *sim) quietSkills(ctx context.Context, p *process) {
	listed, _, err := p.skills.List(ctx, skillsIn, "", 100)
	if err != nil {
		s.wrong("list of skills: %v", err)
		return
	}
	found := map[string]string{}
	for _, k := range listed {
		versions, _, err := p.skills.Versions(ctx, skillsIn, k.ID, "", 100)
		if err != nil {
			s.wrong("versions of %s: %v", k.ID, err)
			return
		}
		slices.Reverse(versions)
		var names []string
		for _, v := range versions {
			names = append(names, v.Name)
			if _, err := p.skills.Archive(ctx, skillsIn, v); err != nil {
				s.wrong("the archive of %s of %s: %v", v.Name, k.ID, err)
			}
		}
		found[k.ID] = strings.Join(names, " ")
		if len(versions) != len(k.Versions) {
			s.wrong("%s shows %d versions of %d", k.ID, len(versions), len(k.Versions))
		}
	}
	for id, state := range s.skills {
		if !state.allows(found[id]) {
			s.wrong("skill %s has %q; %q was answered, %q asked for since", id, found[id], state.was, state.maybe)
		}
	}
}

func (s *sim) quietBatches(ctx context.Context, p *process) {
	for _, id := range s.kept.batches {
		b, err := p.batches.Find(ctx, id)
		if err != nil || b.Status != "ended" || b.Counts.Processing != 0 {
			s.wrong("I3: batch %s was accepted and is %+v, %v", id, b, err)
			continue
		}
		write, err := p.batches.Results(ctx, id)
		var lines strings.Builder
		if err == nil {
			_, err = write(&lines)
		}
		if err != nil {
			s.wrong("the results of batch %s: %v", id, err)
			continue
		}
		for i := range 3 {
			if n := strings.Count(lines.String(), fmt.Sprintf(`"custom_id":"r%d"`, i)); n != 1 {
				s.wrong("batch %s has %d results of request %d", id, n, i)
			}
		}
		if c := b.Counts; c.Succeeded+c.Errored != 3 {
			s.wrong("batch %s counts %+v of 3", id, c)
		}
	}
}

func (s *sim) quietKeys(ctx context.Context, p *process) {
	for id, state := range s.keys {
		who, ok, err := p.keys.Find(ctx, s.secrets[id])
		if err != nil && !fault.Is(err, fault.Unauthorized) {
			s.wrong("key %s: %v", id, err)
		}
		collections := ""
		if ok && err == nil {
			collections = strings.Join(who.Collections, ",")
		}
		if !state.allows(collections) {
			s.wrong("key %s lets into %q; %q was answered, %q asked for since", id, collections, state.was, state.maybe)
		}
	}
}

// stored returns of how many objects files and skills should consist.
func (s *sim) stored(ctx context.Context, p *process) map[string]int {
	want := map[string]int{"files/": 0, "skills/": 0}
	for name := range s.files {
		scope, id, _ := strings.Cut(name, "/")
		if _, err := p.files.Find(ctx, sessions(scope), id); err == nil {
			want["files/"]++
		}
	}
	skills, _, err := p.skills.List(ctx, skillsIn, "", 100)
	if err != nil {
		s.wrong("list of skills: %v", err)
	}
	for _, k := range skills {
		want["skills/"] += len(k.Versions)
	}
	return want
}

// sweepKept removes what nobody knows.
func (s *sim) sweepKept(ctx context.Context, p *process) error {
	return errors.Join(p.files.Sweep(ctx, true), p.skills.Sweep(ctx, true))
}

const batchLife = 48 * time.Hour

// keptStories are of what is kept beside documents and chats.
var keptStories = []story{
	{name: "a file", deeds: []deed{files("a", "uploads/x.txt", 1), files("a", "uploads/x.txt", 2)}},
	{name: "a file's deletion", before: []deed{files("a", "uploads/x.txt", 1), files("b", "uploads/x.txt", 2)}, deeds: []deed{files("a", "uploads/x.txt", 0)}},
	{name: "a file after its deletion", before: []deed{files("a", "uploads/x.txt", 1)}, deeds: []deed{files("a", "uploads/x.txt", 0), files("a", "uploads/x.txt", 3)}},
	{name: "a skill", deeds: []deed{makesSkill, makesSkill}},
	{name: "a skill's version", before: []deed{makesSkill}, deeds: []deed{addsVersion(2)}},
	{name: "a skill's deletion", before: []deed{makesSkill, addsVersion(2), makesSkill, addsVersion(3)}, deeds: []deed{dropsSkill}},
	{name: "a batch", deeds: []deed{batches}},
	{name: "a key", deeds: []deed{makesKey, makesKey}},
	{name: "a key's terms", before: []deed{makesKey}, deeds: []deed{changesKey}},
	{name: "a key's revocation", before: []deed{makesKey, changesKey}, deeds: []deed{revokesKey}},
	{name: "a collection's deletion", before: []deed{ingests(1), ingestsOther}, deeds: []deed{dropsCollection("one", "doc0", "doc1"), looks}},
}

func ingestsOther(s *sim, p *process) { s.ingest(p, "one", "doc1", 7) }

// allStories are those of nth_test.go and these.
func allStories() []story { return slices.Concat(stories, keptStories) }
