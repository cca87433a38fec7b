package lsp

import "encoding/json"

// requests are served by their methods.
var requests = map[string]func(*server, json.RawMessage) (any, error){
	"initialize":                     request(initialize),
	"shutdown":                       shutdown,
	"textDocument/hover":             request((*server).hover),
	"textDocument/definition":        request((*server).definition),
	"textDocument/references":        request((*server).references),
	"textDocument/documentHighlight": request((*server).highlights),
	"textDocument/documentSymbol":    request((*server).symbols),
	"textDocument/completion":        request((*server).completion),
	"textDocument/formatting":        request((*server).formatting),
}

// notifications are served by their methods.
var notifications = map[string]func(*server, json.RawMessage){
	"textDocument/didOpen":             notified((*server).opened),
	"textDocument/didChange":           notified((*server).changed),
	"textDocument/didClose":            notified((*server).closed),
	"textDocument/didSave":             func(s *server, _ json.RawMessage) { s.stale() },
	"workspace/didChangeWatchedFiles":  func(s *server, _ json.RawMessage) { s.stale() },
	"workspace/didChangeConfiguration": func(s *server, _ json.RawMessage) { s.stale() },
}

// request reads the parameters of a request.
func request[P any](serve func(*server, P) (any, error)) func(*server, json.RawMessage) (any, error) {
	return func(s *server, params json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalid(codeInvalidParams, "parameters", mismatch(err), "send what the protocol defines")
		}
		return serve(s, p)
	}
}

// notified reads the parameters of a notification.
func notified[P any](serve func(*server, P)) func(*server, json.RawMessage) {
	return func(s *server, params json.RawMessage) {
		var p P
		if json.Unmarshal(params, &p) == nil {
			serve(s, p)
		}
	}
}

// initialize begins a session.
func initialize(s *server, p initializeParams) (any, error) {
	s.phase, s.client = initialized, p
	can := serverCapabilities{
		TextDocumentSync:           syncOptions{OpenClose: true, Change: 2, Save: true},
		CompletionProvider:         completionOptions{TriggerCharacters: []string{"."}},
		HoverProvider:              true,
		DefinitionProvider:         true,
		ReferencesProvider:         true,
		DocumentHighlightProvider:  true,
		DocumentSymbolProvider:     true,
		DocumentFormattingProvider: true,
	}
	for _, encoding := range p.Capabilities.General.PositionEncodings {
		if encoding == "utf-8" {
			s.encoding.utf8, can.PositionEncoding = true, "utf-8"
		}
	}
	return initializeResult{can, serverInfo{"vyretop", s.version}}, nil
}

// shutdown ends the session but for the notification exit.
func shutdown(s *server, _ json.RawMessage) (any, error) {
	s.phase = ending
	return nil, nil
}
