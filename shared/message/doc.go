// Package message defines a conversation: requests, content blocks, events,
// answers, usage, and their JSON. It holds types and pure functions; the rules
// of a conversation are in package chat.
//
// Types decode through package schema, which reports every wrong field with its
// location. Unknown fields are ignored, so that newer clients keep working.
package message
