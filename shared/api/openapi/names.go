package openapi

import (
	"reflect"
	"strings"
)

// names are the public names of types, by package and Go name. Types that are not
// listed are described in place.
var names = map[string]string{
	// messages
	"message.Request": "ChatBody", "message.CountRequest": "CountTokensInput", "message.Input": "MessageInput", "message.Message": "Message",
	"message.System": "System", "message.PromptConfig": "PromptConfig", "message.CitationConfig": "Citations", "message.Citation": "Citation",
	"message.Tool": "ToolSpecBody", "message.ContextItem": "ToolContext", "message.ContextFilter": "ContextFilter",
	"message.SkillFilter": "SkillFilter", "message.ThinkingConfig": "Thinking", "message.ToolChoice": "ToolChoice",
	"message.OutputConfig": "OutputConfig", "message.Format": "JsonObjectFormat", "message.ResponseFormat": "ResponseFormat",
	"message.CacheControl": "CacheControl", "message.Metadata": "RequestMetadata", "message.Container": "Container",
	"message.ContainerInfo": "ContainerInfo", "message.MCPServer": "McpServer", "message.MCPToolConfig": "McpToolConfiguration",
	"message.Source": "Source", "message.SourceRecord": "SourceRecord", "message.Caller": "Caller", "message.ResourceRecord": "ResourceRecord",
	"message.Usage": "Usage", "message.CacheCreation": "CacheCreation", "message.ServerUse": "ServerToolUsage",
	"message.StopDetails": "StopDetails", "message.Event": "MessageStreamEvent", "chat.Verdict": "ChatValidationResult",
	"chat.Summary": "ChatRequestSummary", "messages.asyncAnswer": "ChatResponse", "streams.cancelled": "ChatCancellationResponse",
	"async.Info": "StreamMetadata", "messages.completeBody": "CompletionBody", "messages.completion": "Completion",
	"tokens.answer": "TokenCount",
	// models, embeddings
	"models.listAnswer": "ModelListOutput", "models.info": "ModelInfoOutput", "models.capabilities": "ModelCapabilities",
	"models.supported": "Capability", "models.media": "MediaCapability", "models.thinking": "ThinkingCapability",
	"models.effort":   "EffortCapability",
	"embeddings.body": "EmbeddingsBody", "embeddings.answer": "EmbeddingsResponse", "embeddings.item": "Embedding",
	"embeddings.usage": "EmbeddingsUsage",
	// artifacts
	"artifact.Body": "IngestBody", "artifact.Input": "IngestInput", "artifacts.list": "IngestResult", "artifact.Doc": "IngestedDoc",
	"tasks.IngestBody": "IngestAsyncBody", "tasks.DeleteBody": "DeleteAsyncBody", "artifact.DeleteBody": "DeleteBody",
	"artifacts.deleted": "ArtifactDeleted", "artifacts.taskAnswer": "Task", "artifacts.taskStatus": "TaskStatus",
	"tasks.Progress": "TaskProgress", "callback.Config": "Callback", "callback.AMQP": "AmqpCallback", "artifacts.readers": "ReadersResponse",
	"artifacts.readerInfo": "Reader", "artifact.ConvertBody": "ConvertBody", "artifact.Converted": "ConvertResponse",
	"artifact.Tree": "ContentTree", "artifact.ContentBody": "ContentBody", "artifact.NodeFilter": "NodeFilter",
	"artifacts.contents": "ContentResponse", "artifact.Content": "ArtifactContent", "artifact.Collection": "Collection",
	"artifacts.collectionList": "CollectionList", "artifacts.collectionDeleted": "CollectionDeleted",
	// files
	"files.list": "FileList", "file.Metadata": "FileMetadata", "file.Scope": "FileScope", "files.deleted": "FileDeleted",
	"files.signBody": "FileUploadBody", "file.Upload": "FileUpload", "files.received": "FileReceived",
	// search, tools
	"primitives.body": "SearchBody", "primitives.answer": "SearchResponse", "retrieval.Chunk": "Chunk", "retrieval.Weights": "SearchWeights",
	"tools.answer": "ToolResponse", "tools.searchBody": "SemanticSearchBody", "tools.tabularBody": "TabularDataAnalysisBody",
	"tools.databaseBody": "DatabaseQueryBody", "tools.searchWebBody": "WebSearchBody", "tools.fetchWebBody": "WebFetchBody",
	// skills
	"skills.shown": "Skill", "skills.list[shown]": "SkillList", "skills.shownVersion": "SkillVersion",
	"skills.list[shownVersion]": "SkillVersionList", "skills.deleted": "SkillDeleted", "skill.Verdict": "SkillValidationResult",
	"skill.Violation": "SkillViolation",
	// the rest
	"rest.ErrorBody": "ErrorResponse", "rest.ErrorObject": "Error", "fault.Problem": "ValidationError", "mcp.call": "JsonRpcRequest",
	"mcp.answer": "JsonRpcResponse", "system.status": "Health", "system.readiness": "Readiness", "system.Progress": "RebuildProgress",
	"system.Vectors": "VectorProgress",
}

// goName returns the name of a type as the table has it.
func goName(t reflect.Type) string {
	pkg := t.PkgPath()
	name, argument, generic := strings.Cut(t.Name(), "[")
	if generic {
		argument = strings.TrimSuffix(argument, "]")
		name += "[" + argument[strings.LastIndexByte(argument, '.')+1:] + "]"
	}
	return pkg[strings.LastIndexByte(pkg, '/')+1:] + "." + name
}

func publicName(t reflect.Type) string { return names[goName(t)] }
