package gl

import "vyretop/engine"

const backendName = "gl"

func fail(code engine.ErrorCode, op, detail, fix string) *engine.Error {
	return &engine.Error{Code: code, Backend: backendName, Op: op, Detail: detail, Fix: fix}
}

func unsupported(op, feature, detail, fix string) *engine.Error {
	e := fail(engine.CodeUnsupportedFeature, op, detail, fix)
	e.Feature = feature
	return e
}
