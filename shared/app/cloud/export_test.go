package cloud

// Chatted writes the metrics of an answer that is over.
var Chatted = chatted
