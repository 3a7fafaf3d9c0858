package artifacts

import (
	"net/http"
	"time"

	"lectern/shared/api/rest"
)

type originalQuery struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifact   string `json:"artifact" required:"true" minlen:"1" maxlen:"255"`
	Link       bool   `json:"link,omitempty" doc:"answer with a URL that needs no key and is valid for an hour, for a browser to open"`
}

// originalLink is a URL of an original.
type originalLink struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
	FileName  string    `json:"file_name"`
	MediaType string    `json:"media_type"`
	SizeBytes int64     `json:"size_bytes"`
}

func (d Deps) original(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[originalQuery](r)
	if err != nil {
		return err
	}
	o, err := d.Artifacts.Original(r.Context(), q.Collection, q.Artifact)
	if err != nil {
		return err
	}
	how := "attachment"
	if o.Inline {
		how = "inline"
	}
	disposition := rest.Disposition(how, o.Name)
	if q.Link || d.Redirects {
		signed, err := o.Link(r.Context(), disposition)
		if err != nil {
			return err
		}
		if q.Link {
			return rest.Write(w, http.StatusOK, originalLink{signed.URL, signed.ExpiresAt, o.Name, o.MediaType, o.Size})
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", signed.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return nil
	}
	body := o.Open(r.Context())
	defer body.Close()
	return rest.Content{MediaType: o.MediaType, Disposition: disposition, ETag: o.ETag, Modified: o.Modified, Size: o.Size,
		Body: body}.Send(w, r)
}
