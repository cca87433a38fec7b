package dap

// whileRunning is what becomes of a request while the dispatch runs.
type whileRunning uint8

const (
	refused    whileRunning = iota // with "notStopped"
	served                         // it does not touch what the run changes
	interrupts                     // the run is interrupted, and continues
)

// handler serves a request.
type handler struct {
	from, to phase // in which it is served
	running  whileRunning
	serve    func(s *server, q request) (body any, err error)
}

// with reads the arguments of a request for the function that serves it.
func with[T any](f func(s *server, a T) (any, error)) func(*server, request) (any, error) {
	return func(s *server, q request) (any, error) {
		a, err := arguments[T](q)
		if err != nil {
			return nil, err
		}
		return f(s, a)
	}
}

var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		"initialize":              {connected, connected, refused, initialize},
		"launch":                  {initialized, initialized, refused, launch},
		"attach":                  {initialized, initialized, refused, attachTo},
		"restart":                 {configured, configured, served, restart},
		"configurationDone":       {launched, launched, refused, configurationDone},
		"disconnect":              {connected, over, served, with(disconnect)},
		"terminate":               {launched, over, served, terminate},
		"setBreakpoints":          {launched, over, interrupts, with(setBreakpoints)},
		"setExceptionBreakpoints": {launched, over, interrupts, with(setExceptionBreakpoints)},
		"dataBreakpointInfo":      {launched, configured, refused, with(dataBreakpointInfo)},
		"setDataBreakpoints":      {launched, over, interrupts, with(setDataBreakpoints)},
		"breakpointLocations":     {launched, over, served, with(breakpointLocations)},
		"loadedSources":           {launched, over, served, loadedSources},
		"source":                  {launched, over, served, with(sourceText)},
		"threads":                 {launched, over, served, threads},
		"continue":                {configured, configured, refused, with(resume)},
		"reverseContinue":         {configured, configured, refused, with(reverseContinue)},
		"next":                    {configured, configured, refused, with(next)},
		"stepIn":                  {configured, configured, refused, with(stepIn)},
		"stepOut":                 {configured, configured, refused, with(stepOut)},
		"stepBack":                {configured, configured, refused, with(stepBack)},
		"reload":                  {launched, configured, served, reload},
		"pause":                   {configured, configured, served, pause},
		"stackTrace":              {configured, configured, refused, with(stackTrace)},
		"scopes":                  {configured, configured, refused, with(scopes)},
		"variables":               {configured, configured, refused, with(variables)},
		"setVariable":             {configured, configured, refused, with(setVariable)},
		"setExpression":           {configured, configured, refused, with(setExpression)},
		"evaluate":                {configured, configured, refused, with(evaluate)},
		"completions":             {configured, configured, refused, with(completions)},
		"exceptionInfo":           {configured, configured, refused, exceptionInfo},
		"disassemble":             {configured, configured, served, with(disassemble)},
	}
}
