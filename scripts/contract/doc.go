// Package contract checks the service against the rules of its contract, over HTTP:
// each check is named by the rule that it holds the service to. Its tests start the
// whole local service beside a scripted provider of models, a web site and a search
// engine on loopback.
package contract
