// Package message is the vocabulary of a conversation: requests, content
// blocks, events, answers, usage, and their JSON. It holds shapes and pure
// functions; the rules of a conversation are in package chat.
//
// Types decode through package schema, which reports every wrong field with
// its place. Unknown fields are ignored, so that newer clients keep working.
//
// Source: API "Resources and their fields".
package message
