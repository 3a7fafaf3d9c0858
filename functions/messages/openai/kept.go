package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
)

// Keeper keeps responses, sealed and with the conversation before them, so that a
// request can go on from one by its id, or name an item of one. What is too large for
// a record is not kept.
type Keeper struct {
	Records record.Store
	Sealer  seal.Sealer
	Now     func() time.Time
	For     time.Duration // 0 keeps none
}

// NewKeeper returns a keeper that keeps responses for so many days; for none at 0.
func NewKeeper(records record.Store, sealer seal.Sealer, now func() time.Time, days int64) Keeper {
	return Keeper{Records: records, Sealer: sealer, Now: now, For: time.Duration(days) * 24 * time.Hour}
}

// kept is a response with what came before it.
type kept struct {
	Input       items    `json:"input"` // of the whole conversation
	Response    response `json:"response"`
	Collections []string `json:"collections"` // of the principal; nil means all
}

const responsePrefix = "resp_"

// keep stores a response and reports whether it did.
func (k *Keeper) keep(ctx context.Context, input items, r *response) (bool, error) {
	if k.For <= 0 {
		return false, nil
	}
	p := auth.From(ctx)
	plain, err := json.Marshal(kept{Input: input, Response: *r, Collections: p.Collections})
	if err != nil {
		return false, err
	}
	if len(plain) > record.MaxValueBytes*3/4 { // sealing adds to it
		return false, nil
	}
	key := keptKey(p.Tenant, r.ID)
	sealed, err := k.Sealer.Seal(ctx, plain, key.Partition)
	if err != nil {
		return false, err
	}
	err = k.Records.Put(ctx, record.Item{Key: key, Value: sealed, Expires: k.Now().Add(k.For)}, record.Any())
	return err == nil, err
}

// find returns a response. NotFound if it is not kept, or was made with more rights
// than the caller has.
func (k *Keeper) find(ctx context.Context, id string) (*kept, error) {
	unknown := fault.New(fault.NotFound, "no response %q is kept", id)
	p := auth.From(ctx)
	if !validID(id) {
		return nil, unknown
	}
	key := keptKey(p.Tenant, id)
	found, err := k.Records.Find(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return nil, unknown
	}
	if err != nil {
		return nil, err
	}
	plain, err := k.Sealer.Open(ctx, found.Value, key.Partition)
	if err != nil {
		return nil, err
	}
	var r kept
	if err := json.Unmarshal(plain, &r); err != nil {
		return nil, err
	}
	if !p.Covers(r.Collections) {
		return nil, unknown
	}
	return &r, nil
}

// drop deletes a response, also one that cannot be opened any more: nobody reads that.
func (k *Keeper) drop(ctx context.Context, id string) error {
	if _, err := k.find(ctx, id); err != nil && !errors.Is(err, seal.ErrKey) {
		return err
	}
	return k.Records.Delete(ctx, keptKey(auth.From(ctx).Tenant, id), record.Any())
}

func keptKey(tenant, id string) record.Key {
	partition := "response/" + id
	if tenant != "" {
		partition = "response/T." + auth.TenantKey(tenant) + "/" + id
	}
	return record.Key{Partition: partition, Sort: "kept"}
}

func validID(id string) bool {
	rest, ok := strings.CutPrefix(id, responsePrefix)
	return ok && rest != "" && len(id) <= 128 &&
		strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}

// itemID is the id of an item of a response, which leads back to the response.
func itemID(prefix, response string, at int) string {
	return prefix + strings.TrimPrefix(response, responsePrefix) + "_" + strconv.Itoa(at)
}

// responseOf is the id of the response that an item's id is of.
func responseOf(item string) string {
	_, rest, _ := strings.Cut(item, "_")
	id, _, _ := strings.Cut(rest, "_")
	return responsePrefix + id
}

// resolve completes the input of a request: by the conversation before it, and the
// items that it names. It returns what of these is not kept.
func (k *Keeper) resolve(ctx context.Context, body *responseBody) (wrong problems, err error) {
	var before items
	if body.Previous != "" {
		r, err := k.find(ctx, body.Previous)
		switch {
		case fault.Is(err, fault.NotFound):
			wrong.add("value_error", "no response "+strconv.Quote(body.Previous)+" is kept: send the whole conversation as input", "previous_response_id")
		case err != nil:
			return nil, err
		default:
			before = append(r.Input, inputOf(r.Response.Output)...)
		}
	}
	seen := map[string]*kept{}
	for i := range body.Input {
		it := &body.Input[i]
		if it.Type != "item_reference" {
			continue
		}
		id := responseOf(it.ID)
		if seen[id] == nil {
			r, err := k.find(ctx, id)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
			seen[id] = r
		}
		if !seen[id].replace(it) {
			it.Type = "reasoning" // which counts for nothing
			wrong.add("value_error", "no item "+strconv.Quote(it.ID)+" is kept: send the item itself", "input", i, "id")
		}
	}
	body.before = len(before)
	body.Input = append(before, body.Input...)
	return wrong, nil
}

// replace puts the item that a reference names in its place.
func (r *kept) replace(reference *item) bool {
	if r == nil {
		return false
	}
	for _, out := range r.Response.Output {
		if out.ID == reference.ID {
			*reference = inputOf([]outputItem{out})[0]
			return true
		}
	}
	return false
}

// inputOf are the items of an answer as a later request has them.
func inputOf(output []outputItem) items {
	list := items{}
	for _, out := range output {
		it := item{Type: out.Type, Role: out.Role, CallID: out.CallID, Name: out.Name}
		if out.Arguments != nil {
			it.Arguments = *out.Arguments
		}
		if out.Content != nil {
			for _, c := range *out.Content {
				it.Content = append(it.Content, part{Type: c.Type, Text: c.Text})
			}
		}
		list = append(list, it)
	}
	return list
}

// keptQuery names a response.
type keptQuery struct {
	ID string `json:"-" path:"response_id"`
}

type dropped struct {
	ID      string `json:"id"`
	Object  string `json:"object" enum:"response.deleted"`
	Deleted bool   `json:"deleted"`
}

func (d Deps) findResponse(ctx context.Context, q *keptQuery) (*response, error) {
	r, err := d.Keeper.find(ctx, q.ID)
	if err != nil {
		return nil, err
	}
	return &r.Response, nil
}

func (d Deps) dropResponse(ctx context.Context, q *keptQuery) (dropped, error) {
	return dropped{q.ID, "response.deleted", true}, d.Keeper.drop(ctx, q.ID)
}
