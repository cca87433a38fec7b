package fleet

import (
	"encoding/json"
	"strings"
)

// subjectUser is where a NATS server tells a user about itself.
const subjectUser = "$SYS.REQ.USER.INFO"

// permissions are the subjects that a user may publish.
type permissions struct {
	Publish *struct {
		Allow []string `json:"allow"`
		Deny  []string `json:"deny"`
	} `json:"publish"`
}

// allow reports whether a user may publish on a subject.
func (p *permissions) allow(subject string) bool {
	if p.Publish == nil {
		return true
	}
	for _, pattern := range p.Publish.Deny {
		if matches(pattern, subject) {
			return false
		}
	}
	for _, pattern := range p.Publish.Allow {
		if matches(pattern, subject) {
			return true
		}
	}
	return len(p.Publish.Allow) == 0
}

// allows reports whether the hub lets this user publish on a subject. One that does not say is taken to: it refuses by itself.
func (h *Hub) allows(subject string) bool {
	h.asked.Lock()
	defer h.asked.Unlock()
	if h.allowed == nil {
		p, err := h.askPermissions()
		if err != nil {
			return true
		}
		h.allowed = p
	}
	return h.allowed.allow(subject)
}

func (h *Hub) askPermissions() (*permissions, error) {
	m, err := h.Request(subjectUser, nil, askTime)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Data struct {
			Permissions permissions `json:"permissions"`
		} `json:"data"`
	}
	err = json.Unmarshal(m.Data, &answer)
	return &answer.Data.Permissions, err
}

// matches reports whether a pattern of subjects has a subject: "*" stands for one part, ">" at the end for all that are left.
func matches(pattern, subject string) bool {
	want, have := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, part := range want {
		switch {
		case part == ">":
			return len(have) > i
		case i >= len(have) || part != "*" && part != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}
