package cli

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
)

// skillEntry is a skill as lists show it.
type skillEntry struct {
	ID         string `json:"id"`
	Title      string `json:"display_title"`
	Latest     string `json:"latest_version"`
	Collection string `json:"collection"`
	Loading    string `json:"loading"`
	ReadOnly   bool   `json:"readonly"`
}

// skills lists the skills of a collection.
func (a *api) skills(ctx context.Context, collection string) ([]skillEntry, error) {
	var all []skillEntry
	q := url.Values{"collection": {collection}, "limit": {"100"}}
	for {
		var page struct {
			Data []skillEntry
			Next string `json:"next_page"`
		}
		if err := a.do(ctx, http.MethodGet, "/v1/skills?"+q.Encode(), "", nil, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Data...); page.Next == "" {
			return all, nil
		}
		q.Set("page", page.Next)
	}
}

// archive returns the files of a skill's latest version, a zip.
func (a *api) archive(ctx context.Context, s *skillEntry) (data []byte, err error) {
	path := "/v1/skills/" + url.PathEscape(s.ID) + "/versions/" + url.PathEscape(s.Latest) + "/content"
	err = a.do(ctx, http.MethodGet, path+"?collection="+url.QueryEscape(s.Collection), "", nil, &data)
	return data, err
}

// moveSkill brings the latest version of a skill to another service, where one of the
// same title gets it as a new version, and says what it did.
func (a *api) moveSkill(ctx context.Context, to *api, s *skillEntry, there []skillEntry) (done string, err error) {
	data, err := a.archive(ctx, s)
	if err != nil {
		return "", err
	}
	fields := map[string]string{"collection": s.Collection, "display_title": s.Title, "loading": s.Loading,
		"readonly": strconv.FormatBool(s.ReadOnly)}
	path := "/v1/skills"
	for i := range there {
		if there[i].Title != s.Title {
			continue
		}
		if was, err := to.archive(ctx, &there[i]); err != nil || bytes.Equal(was, data) {
			return "unchanged", err
		}
		fields = map[string]string{"collection": s.Collection}
		path += "/" + url.PathEscape(there[i].ID) + "/versions"
		break
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			return "", err
		}
	}
	part, err := form.CreateFormFile("files[]", "skill.zip")
	if err == nil {
		_, err = part.Write(data)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return "", err
	}
	return "moved", to.do(ctx, http.MethodPost, path, form.FormDataContentType(), body.Bytes(), nil)
}
