"""Runs the batches of the official Python SDK, and its files without a scope, unchanged,
against the service at BASE_URL. Exit 1 when a check fails."""

import os
import time

import anthropic

claude = anthropic.Anthropic(base_url=os.environ["BASE_URL"], api_key="none-000000", max_retries=0)
ASK = {"model": "default", "max_tokens": 50, "messages": [{"role": "user", "content": "Hello"}]}


def ended(id):
    for _ in range(600):
        batch = claude.messages.batches.retrieve(id)
        if batch.processing_status == "ended":
            return batch
        time.sleep(0.05)
    raise AssertionError("the batch does not end")


def fails(kind, f):
    try:
        f()
    except kind:
        return
    raise AssertionError("no error")


requests = [{"custom_id": f"r{i}", "params": ASK} for i in range(29)] + [{"custom_id": "bad", "params": {**ASK, "model": "gpt-absent"}}]
made = claude.messages.batches.create(requests=requests)
counts = ended(made.id).request_counts
assert (counts.succeeded, counts.errored, counts.processing) == (29, 1, 0), counts
results = list(claude.messages.batches.results(made.id))
assert [r.custom_id for r in results] == [r["custom_id"] for r in requests], results
assert all(r.result.type == "succeeded" and r.result.message.content for r in results[:29]), results
assert results[29].result.error.error.type == "not_found_error", results[29]
second = claude.messages.batches.create(requests=requests[:1])
listed = [b.id for b in claude.messages.batches.list(limit=1)]
assert listed.index(second.id) < listed.index(made.id), listed
assert claude.messages.batches.delete(made.id).id == made.id
fails(anthropic.NotFoundError, lambda: claude.messages.batches.retrieve(made.id))

forever = {**ASK, "model": "scripted", "messages": [{"role": "user", "content": "forever"}]}
made = claude.messages.batches.create(requests=[{"custom_id": f"r{i}", "params": forever} for i in range(30)])
fails(anthropic.ConflictError, lambda: claude.messages.batches.delete(made.id))
assert claude.messages.batches.cancel(made.id).processing_status in ("canceling", "ended")
assert ended(made.id).request_counts.canceled == 30
assert {r.result.type for r in claude.messages.batches.results(made.id)} == {"canceled"}
fails(anthropic.UnprocessableEntityError, lambda: claude.messages.batches.create(requests=[]))

kept = claude.beta.files.upload(file=("notes.txt", b"Robins sing.", "text/plain"))
assert claude.beta.files.retrieve_metadata(kept.id).filename == "notes.txt"
assert claude.beta.files.download(kept.id).read() == b"Robins sing."
ask = {"type": "document", "source": {"type": "file", "file_id": kept.id}, "citations": {"enabled": True}}
said = claude.beta.messages.create(model="extractive", max_tokens=100, betas=["files-api-2025-04-14"], messages=[
    {"role": "user", "content": [ask, {"type": "text", "text": "What do robins do?"}]}])
assert said.content[0].text == "Robins sing." and said.content[0].citations[0].cited_text == "Robins sing.", said.content
claude.beta.files.delete(kept.id)
print("ok   anthropic", anthropic.__version__, "batches: create, retrieve, list, results, cancel, delete, errors; files without a scope")
