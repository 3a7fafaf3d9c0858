package messages

import (
	"context"
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/chat/batch"
)

type batchList struct {
	Data    []*batch.Batch `json:"data"`
	FirstID *string        `json:"first_id"`
	LastID  *string        `json:"last_id"`
	HasMore bool           `json:"has_more"`
}

type batchesQuery struct {
	Before string `json:"before_id,omitempty" doc:"cursor: the page that ends just before this batch"`
	After  string `json:"after_id,omitempty" doc:"cursor: the page that starts just after this batch"`
	Limit  int    `json:"limit" default:"20" min:"1" max:"1000"`
}

type batchQuery struct {
	ID string `json:"-" path:"batch_id"`
}

type batchDeleted struct {
	ID   string `json:"id"`
	Type string `json:"type" enum:"message_batch_deleted"`
}

// batchRoutes lists the endpoints of batches.
func (d Deps) batchRoutes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/messages/batches", Creates: true, Large: true, Handle: rest.JSON(d.createBatch),
			Doc: "Answer many conversations later"},
		{Pattern: "GET /v1/messages/batches", Handle: rest.JSON(d.listBatches), Doc: "List the batches, the newest first"},
		{Pattern: "GET /v1/messages/batches/{batch_id}", Handle: rest.JSON(d.findBatch), Doc: "Show how far a batch is"},
		{Pattern: "GET /v1/messages/batches/{batch_id}/results", Handle: rest.HandlerFunc(d.batchResults),
			Doc: "Download the results of a batch that has ended, one JSON object a line", Media: "application/x-jsonl"},
		{Pattern: "POST /v1/messages/batches/{batch_id}/cancel", Handle: rest.JSON(d.cancelBatch), Doc: "Cancel what of a batch is not answered"},
		{Pattern: "DELETE /v1/messages/batches/{batch_id}", Handle: rest.JSON(d.deleteBatch), Doc: "Delete a batch that has ended"},
	}
}

// shownBatch adds the address of the results, once they are there.
func shownBatch(ctx context.Context, b *batch.Batch) *batch.Batch {
	if b.Ended != nil {
		url := rest.BaseURL(ctx) + "/v1/messages/batches/" + b.ID + "/results"
		b.Results = &url
	}
	return b
}

func (d Deps) createBatch(ctx context.Context, body *batch.Body) (*batch.Batch, error) {
	return d.Batches.Create(ctx, body, rest.RequestID(ctx))
}

func (d Deps) listBatches(ctx context.Context, q *batchesQuery) (batchList, error) {
	list, more, err := d.Batches.List(ctx, q.After, q.Before, q.Limit)
	if err != nil {
		return batchList{}, err
	}
	out := batchList{Data: list, HasMore: more}
	for _, b := range list {
		shownBatch(ctx, b)
	}
	if n := len(list); n > 0 {
		out.FirstID, out.LastID = &list[0].ID, &list[n-1].ID
	}
	return out, nil
}

func (d Deps) findBatch(ctx context.Context, q *batchQuery) (*batch.Batch, error) {
	b, err := d.Batches.Find(ctx, q.ID)
	if err != nil {
		return nil, err
	}
	return shownBatch(ctx, b), nil
}

func (d Deps) cancelBatch(ctx context.Context, q *batchQuery) (*batch.Batch, error) {
	b, err := d.Batches.Cancel(ctx, q.ID)
	if err != nil {
		return nil, err
	}
	return shownBatch(ctx, b), nil
}

func (d Deps) deleteBatch(ctx context.Context, q *batchQuery) (batchDeleted, error) {
	return batchDeleted{q.ID, "message_batch_deleted"}, d.Batches.Delete(ctx, q.ID)
}

func (d Deps) batchResults(w http.ResponseWriter, r *http.Request) error {
	write, err := d.Batches.Results(r.Context(), r.PathValue("batch_id"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-jsonl")
	n, err := write(w)
	if err != nil && n == 0 {
		return err
	}
	if err != nil {
		rest.Note(r.Context(), err)
		panic(http.ErrAbortHandler) // the client sees that the results are cut
	}
	return nil
}
