package artifact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/ident"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// textVersion is part of every content hash: raising it makes the next ingest
// of the same bytes do its work again, after a change of readers or chunker.
const textVersion = "7"

// Ingest stores an artifact and returns once it can be found. The same content
// again does no work, unless what it made before is lost; other content replaces
// the old at once and whole.
//
// A later ingest or delete of the same artifact wins: this one is then a
// Conflict that is not worth repeating. Unreadable input is Invalid and leaves
// nothing behind.
func (s *Service) Ingest(ctx context.Context, b *Body) (Doc, error) {
	if err := checkNames(ctx, b.Collection, b.Artifact); err != nil {
		return Doc{}, err
	}
	src, err := s.given(ctx, b)
	if err != nil {
		return Doc{}, err
	}
	if src.data != nil {
		if e, err := s.find(ctx, b.Collection, b.Artifact); err != nil {
			return Doc{}, err
		} else if e.Live != "" && e.Want == e.Live && e.Hash == s.fingerprint(src, b.Metadata) {
			if same, err := s.unchanged(ctx, e, src); err != nil || same {
				return newDoc(e), err
			}
		}
	}
	// The job keeps no second copy of the content.
	j := s.job(b, src)
	if err := j.accept(ctx); err != nil {
		return Doc{}, err
	}
	if err := j.run(ctx, "", func() error { return nil }); err != nil {
		j.abandon(context.WithoutCancel(ctx))
		return Doc{}, err
	}
	if j.same {
		if err := s.Settle(ctx, j.accepted()); err != nil {
			return Doc{}, err
		}
	}
	return newDoc(j.entry), nil
}

// source is what an ingest reads.
type source struct {
	name  string // with the extension that chooses the reader
	named bool   // by the request
	data  []byte // nil until a uri is fetched
	uri   string
}

// given decodes the request's input and settles the file name, as far as that
// needs no network.
func (s *Service) given(ctx context.Context, b *Body) (src source, err error) {
	err = s.Slots.Do(ctx, len(b.Input.Value), func() error {
		src, err = s.unpacked(b)
		return err
	})
	return src, err
}

func (s *Service) unpacked(b *Body) (source, error) {
	src := source{}
	if b.Metadata != nil {
		name, ok := b.Metadata["file_name"].(string)
		if !ok || name == "" {
			return src, fault.Field("missing", "metadata should include file_name as a string", "body", "metadata", "file_name")
		}
		if len(s.Readers.ForName(name)) == 0 {
			return src, s.Readers.Unsupported(name, "body", "metadata", "file_name")
		}
		if raw, err := json.Marshal(b.Metadata); err != nil || len(raw) > maxMetadataBytes {
			return src, fault.Field("too_long", fmt.Sprintf("metadata should be at most %d bytes of JSON", maxMetadataBytes), "body", "metadata")
		}
		src.name, src.named = name, true
	}
	switch b.Input.Type {
	case "text":
		if strings.TrimSpace(b.Input.Value) == "" {
			return src, fault.Field(reader.Empty, "the text is empty", "body", "input", "value")
		}
		src.data = []byte(b.Input.Value)
		if !src.named {
			src.name = unnamedText
		}
	case "file":
		data, err := b.Input.data, error(nil)
		if data == nil {
			data, err = decodeBase64(b.Input.Value)
		}
		if err != nil {
			return src, fault.Field("base64", "value is not valid base64", "body", "input", "value")
		}
		src.data = data
		if !src.named {
			src.name = unnamedFile + s.Readers.Sniff(data)
		}
	case "uri":
		src.uri = b.Input.Value
	}
	return src, nil
}

func decodeBase64(s string) ([]byte, error) {
	s = strings.TrimSpace(s)
	if data, err := base64.StdEncoding.DecodeString(s); err == nil {
		return data, nil
	}
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}

// fingerprint covers all that decides what an ingest makes.
func (s *Service) fingerprint(src source, metadata map[string]any) string {
	h := sha256.New()
	meta, _ := json.Marshal(metadata) // sorts its keys
	for _, part := range [][]byte{[]byte(textVersion), []byte(src.name), []byte(s.embedderName()), meta, src.data} {
		fmt.Fprintf(h, "%d:", len(part))
		budget.Pieces(part, func(p []byte) { h.Write(p) })
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (s *Service) embedderName() string {
	if !s.Vectors {
		return ""
	}
	return s.Embedder.Name()
}

// accept claims the artifact: from now on the last accepted ingest wins.
func (j *job) accept(ctx context.Context) error {
	if err := j.service.enrol(ctx, j.body.Collection); err != nil {
		return err
	}
	e, err := j.service.change(ctx, j.body.Collection, j.body.Artifact, func(e *entry) (bool, error) {
		j.generation = ident.After(j.service.IDs.Ordered(), e.Want)
		e.Want, e.Deleted, e.Deferred = j.generation, false, false
		return true, nil
	})
	j.entry = e
	return err
}

func (j *job) fetch(ctx context.Context) error {
	if j.source.data != nil {
		return nil
	}
	if err := j.service.download(ctx, &j.source); err != nil {
		return err
	}
	if j.entry.Live == "" || j.entry.Hash != j.service.fingerprint(j.source, j.body.Metadata) {
		return nil
	}
	var err error
	j.same, err = j.service.unchanged(ctx, j.entry, j.source)
	return err
}

// extensions are those of the content types that addresses declare.
var extensions = map[string]string{
	"text/plain": ".txt", "text/markdown": ".md", "text/html": ".html", "application/xhtml+xml": ".html", "text/csv": ".csv",
	"text/tab-separated-values": ".tsv", "application/json": ".json", "application/pdf": ".pdf", "application/rtf": ".rtf",
	"application/epub+zip": ".epub", "message/rfc822": ".eml", "application/mbox": ".mbox",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   ".docx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         ".xlsx",
	"application/vnd.oasis.opendocument.text":                                   ".odt",
}

// nameOf settles the file name of fetched bytes: the address's own when a
// reader takes its extension, else one by the content type, else by content.
func (s *Service) nameOf(name, contentType string, data []byte) (string, error) {
	if len(s.Readers.ForName(name)) > 0 {
		return name, nil
	}
	base := strings.TrimSuffix(name, reader.Ext(name))
	if base == "" {
		base = "content"
	}
	for _, ext := range []string{extensions[contentType], s.Readers.Sniff(data)} {
		if ext != "" && len(s.Readers.ForName(base+ext)) > 0 {
			return base + ext, nil
		}
	}
	return "", fault.Field(reader.Unknown, "no reader takes what the address serves", "body", "input", "value")
}

// largeBytes is the size of a document from which the ingest runs the garbage
// collector itself: after the bytes are read, and after every largeGroups groups
// of chunks. By default the collector waits until the heap has doubled.
const largeBytes, largeGroups = 16 << 20, 4

func (j *job) read(ctx context.Context) error {
	doc, err := j.service.readSource(ctx, j.source, "")
	if err != nil {
		return err
	}
	sum := sha256.New()
	budget.Pieces(j.source.data, func(p []byte) { sum.Write(p) })
	j.doc, j.hash, j.sum = doc, j.service.fingerprint(j.source, j.body.Metadata), "sha256:"+hex.EncodeToString(sum.Sum(nil))
	j.size = len(j.source.data)
	if j.service.NoOriginals {
		j.release()
	}
	return nil
}

// release gives up the bytes that were read: from here on the text counts.
func (j *job) release() {
	large := len(j.source.data) >= largeBytes
	j.source.data = nil
	if large {
		runtime.GC() // and not debug.FreeOSMemory, which returns memory in one piece, at times half a second in which nothing runs
	}
}

// weighed is the size from which a document counts in the budget of memory.
const weighed = 256 << 10

// pdfBytes is what every PDF file takes, and pdfWeight what it takes by its size; what
// more its content takes the engine claims itself.
const pdfBytes, pdfWeight = 18 << 20, 4

// blockBytes is about what a paragraph, row or item takes, beside its text: its node, and
// what is held of it until the document is stored.
const blockBytes = 256

// readingBytes is about what a document takes while it is read; 0 when that is little.
func readingBytes(name string, data []byte) int64 {
	ext, size := reader.Ext(name), int64(len(data))
	blocks := 0 // at most, as far as a quick look tells
	weight := int64(8)
	switch ext {
	case ".pdf":
		return pdfBytes + pdfWeight*size
	case ".html", ".htm", ".xhtml":
		weight = 16
	case ".txt", ".md", ".csv", ".tsv":
		weight = 4
		blocks = bytes.Count(data, []byte{'\n'})
	case ".json", ".jsonl", ".ndjson", ".geojson", ".ipynb":
		blocks = bytes.Count(data, []byte{','})
	}
	claim := max(weight*size, blockBytes*int64(blocks))
	if size < weighed && claim < 8*weighed {
		return 0
	}
	return claim
}

// readSource reads with the named reader, or the one for the extension.
func (s *Service) readSource(ctx context.Context, src source, named string) (*document.Document, error) {
	r, err := s.readerFor(src.name, named)
	if err != nil {
		return nil, err
	}
	claim := s.Reading.Claim()
	defer claim.Release()
	if err := claim.Grow(ctx, readingBytes(src.name, src.data)); err != nil {
		return nil, err
	}
	ctx = budget.With(ctx, claim)
	var doc *document.Document
	err = s.Slots.Do(ctx, len(src.data), func() (err error) {
		doc, err = r.Read(ctx, reader.Source{Name: src.name, Data: src.data}, reader.Limits{})
		return err
	})
	return doc, err
}

func (s *Service) readerFor(name, named string) (reader.Reader, error) {
	fit := s.Readers.ForName(name)
	if len(fit) == 0 {
		return nil, s.Readers.Unsupported(name, "body", "metadata", "file_name")
	}
	if named == "" {
		return fit[0], nil
	}
	names := []string{}
	for _, r := range fit {
		if r.Name() == named {
			return r, nil
		}
		names = append(names, r.Name())
	}
	return nil, fault.Field("value_error", fmt.Sprintf("reader %q does not take %s files; fit: %s", named, reader.Ext(name),
		strings.Join(names, ", ")), "body", "reader")
}

func (j *job) chunk(ctx context.Context) error {
	if err := j.work(ctx, func() error { j.pieces = chunk.Split(j.doc); return nil }); err != nil {
		return err
	}
	if len(j.pieces) == 0 {
		return fault.Field(reader.Empty, "the document holds no text", "body", "input", "value")
	}
	return nil
}

// work calls f, which works on the document's text, once a processor is free for it.
func (j *job) work(ctx context.Context, f func() error) error {
	return j.service.Slots.Do(ctx, len(j.doc.Text), f)
}

// chunks makes the index's chunks of pieces.
func (j *job) chunks(pieces []chunk.Chunk) []index.Chunk {
	title := j.title()
	list := make([]index.Chunk, len(pieces))
	for i, c := range pieces {
		list[i] = index.Chunk{
			ID: j.generation + "-" + strconv.Itoa(c.Order), Collection: j.body.Collection, Artifact: j.body.Artifact,
			Generation: j.generation, Order: c.Order, Text: c.Text, Start: c.Start, End: c.End, UTF16Start: c.UTF16Start, UTF16End: c.UTF16End,
			Title: title, FileName: j.source.name, Headings: c.Headings, Page: c.Page, Breaks: c.Breaks,
			Columns: c.Columns, Continues: c.Continues, Tokens: c.Tokens,
			ContentType: "text/plain", Metadata: j.body.Metadata,
		}
	}
	return list
}

func (j *job) title() string {
	title := j.doc.Title
	if t, ok := j.body.Metadata["title"].(string); ok && t != "" {
		title = t
	}
	if len(title) > maxTitleBytes {
		title = strings.ToValidUTF8(title[:maxTitleBytes], "")
	}
	return title
}

// maxMetadataBytes bounds a document's metadata, which every chunk carries.
const maxMetadataBytes = 64 << 10

// maxTitleBytes bounds the title that is indexed with each chunk; doc_metadata
// keeps the caller's own as it is.
const maxTitleBytes = 512

// EmbeddedText is what is embedded of a chunk.
func EmbeddedText(c *index.Chunk) string {
	text := c.Title + "\n" + strings.Join(c.Headings, " > ") + "\n"
	if c.Columns != "" {
		text += c.Columns + "\n"
	}
	return strings.TrimSpace(text + c.Text)
}

// groupBytes is how much text is embedded and indexed together: enough for the
// index and the embedder to work on, and little enough that the vectors of a
// large document are never all in memory.
const groupBytes = 1 << 20

// index embeds the chunks and writes them under the generation: one group, where
// the job has one, or else all of them. Groups are embedded and written side by
// side, as many as there are processors: a slow embedder or index holds back the
// next group.
func (j *job) index(ctx context.Context) error {
	groups := groupsOf(j.pieces)
	if j.group != allGroups {
		if j.group < 0 || j.group >= len(groups) {
			return fault.New(fault.Invalid, "the ingest has %d groups, not %d", len(groups), j.group+1)
		}
		return j.indexGroup(ctx, groups[j.group])
	}
	if len(groups) == 1 {
		return j.indexGroup(ctx, groups[0])
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	var begun atomic.Int64
	for _, group := range groups {
		work.Go(func() error {
			if n := begun.Add(1); n%largeGroups == 0 && len(j.doc.Text) >= largeBytes {
				runtime.GC()
			}
			return j.indexGroup(ctx, group)
		})
	}
	return work.Wait()
}

func (j *job) indexGroup(ctx context.Context, pieces []chunk.Chunk) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	group := j.chunks(pieces)
	if j.service.Vectors {
		texts := make([]string, len(group))
		for i := range group {
			texts[i] = EmbeddedText(&group[i])
		}
		vectors, err := j.service.Embedder.Embed(ctx, texts, embedding.Document)
		if err != nil {
			return err
		}
		for i := range group {
			group[i].Vector = vectors[i]
		}
	}
	if err := j.work(ctx, func() error { return j.service.Index.Write(ctx, group) }); err != nil {
		return err
	}
	j.wrote(len(group))
	return nil
}

func (j *job) await(ctx context.Context) error {
	return j.service.Index.Await(ctx, j.body.Collection, j.body.Artifact, j.generation, len(j.pieces))
}

// commit makes the generation live, unless a later ingest or a delete has
// taken the artifact.
func (j *job) commit(ctx context.Context) error {
	previous := ""
	if err := j.service.announce(ctx, j.body.Collection); err != nil {
		return err
	}
	e, err := j.service.change(ctx, j.body.Collection, j.body.Artifact, func(e *entry) (bool, error) {
		if e.Live == j.generation {
			return false, nil // an earlier run of this step did it
		}
		if e.Want != j.generation {
			return false, overtaken(j.body.Artifact)
		}
		previous = e.Live
		j.makeLive(e, j.service.Now().UTC())
		return true, nil
	})
	if err != nil {
		return err
	}
	j.entry = e
	j.entry.previous = previous
	return nil
}

// makeLive makes an entry show the job's generation.
func (j *job) makeLive(e *entry, at time.Time) {
	e.Deferred = false
	e.Live, e.Hash, e.Doc, e.Chunks, e.Bytes, e.Updated = j.generation, j.hash, j.metadata(at), len(j.pieces), len(j.doc.Text), at
	e.Original = !j.service.NoOriginals
	e.Given = slices.AppendSeq([]string{}, maps.Keys(j.body.Metadata))
	slices.Sort(e.Given)
	if e.Created.IsZero() {
		e.Created = at
	}
}

func overtaken(artifact string) error {
	return &fault.Error{Code: fault.Conflict, NoRetry: true, Msg: fmt.Sprintf("a later ingest or delete of artifact %q overtook this one",
		artifact)}
}

// metadata makes doc_metadata: what was found out, then the caller's own.
func (j *job) metadata(now time.Time) map[string]any {
	tokens := 0
	for _, c := range j.pieces {
		tokens += c.Tokens
	}
	doc := map[string]any{
		"file_name": j.source.name, "file_type": strings.TrimPrefix(reader.Ext(j.source.name), "."), "chunk_count": len(j.pieces),
		"token_count": tokens, "content_hash": j.sum, "size_bytes": j.size, "ingested_at": now.Format(time.RFC3339),
	}
	if j.sum == "" { // of an item that was made again, without its original
		delete(doc, "content_hash")
	}
	if j.size == 0 { // of one that was kept before sizes were
		delete(doc, "size_bytes")
	}
	if t := j.title(); t != "" {
		doc["title"] = t
	}
	if j.doc.Pages > 0 {
		doc["pages"] = j.doc.Pages
	}
	if len(j.doc.Warnings) > 0 {
		doc["warnings"] = j.doc.Warnings
	}
	maps.Copy(doc, j.body.Metadata)
	return doc
}

// tidy drops the generation that was replaced. It is not shown any more, so a
// failure costs space until the next sweep, and nothing else.
func (j *job) tidy(ctx context.Context) error {
	if j.entry.previous == "" {
		return nil
	}
	if err := j.service.Free(context.WithoutCancel(ctx), Accepted{j.body.Collection, j.body.Artifact, j.entry.previous}); err != nil {
		j.service.Log.WarnContext(ctx, "a replaced document is left for the sweep", "error", err)
	}
	return nil
}

// abandon undoes an ingest that failed. It leaves alone an ingest that was
// committed although the answer was lost, and whatever cannot be looked up now:
// a later sweep decides.
func (j *job) abandon(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := j.service.Abandon(ctx, j.accepted()); err != nil {
		j.service.Log.WarnContext(ctx, "a failed ingest is left for the sweep", "error", err)
	}
}

// folder is where the stored texts of an artifact lie.
func folder(collection, artifact string) string {
	sum := sha256.Sum256([]byte(collection + "\x00" + artifact))
	return documentsFolder + hex.EncodeToString(sum[:16])
}

func (s *Service) storedKey(collection, artifact, generation string) string {
	return folder(collection, artifact) + "/" + generation
}

// store keeps the text and the original, side by side.
func (j *job) store(ctx context.Context) error {
	defer j.release()
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { return j.storeText(ctx) })
	if !j.service.NoOriginals && j.source.data != nil {
		data := j.source.data
		work.Go(func() error { return j.service.keepOriginal(ctx, j.accepted(), data, j.source.name) })
	}
	return work.Wait()
}

// storeText keeps the document's tree and text, for citations to be looked up
// and for the content endpoints.
func (j *job) storeText(ctx context.Context) error {
	key := j.service.storedKey(j.body.Collection, j.body.Artifact, j.generation)
	var body io.Reader
	var size int64
	err := j.work(ctx, func() (err error) {
		body, size, err = encodeStored(j.doc, &label{Collection: j.body.Collection, Artifact: j.body.Artifact, File: j.source.name,
			Hash: j.hash, Sum: j.sum, Size: j.size, Given: j.body.Metadata})
		return err
	})
	if err != nil {
		return err
	}
	_, err = j.service.Objects.Put(ctx, key, body, object.PutOptions{ContentType: "application/octet-stream", Size: size})
	return err
}

// discard drops what a generation left.
func (s *Service) discard(ctx context.Context, collection, artifact, generation string) error {
	if err := s.Index.Drop(ctx, collection, artifact, generation); err != nil {
		return err
	}
	if err := s.Objects.Delete(ctx, originalKey(collection, artifact, generation)); err != nil {
		return err
	}
	return s.Objects.Delete(ctx, s.storedKey(collection, artifact, generation))
}
