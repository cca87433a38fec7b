package glsl

import (
	"regexp"
	"strings"
)

// subgroupNames say which extension of subgroups declares a name: the first whose pattern the whole name matches.
var subgroupNames = []struct {
	extension string
	names     *regexp.Regexp
}{
	{"GL_KHR_shader_subgroup_basic", fullName("subgroup(Elect|Barrier|MemoryBarrier(Buffer|Image|Shared)?)|gl_(NumSubgroups|SubgroupID|SubgroupSize|SubgroupInvocationID)")},
	{"GL_KHR_shader_subgroup_vote", fullName("subgroup(All|Any|AllEqual)")},
	{"GL_KHR_shader_subgroup_ballot", fullName("subgroup(Broadcast|BroadcastFirst|InverseBallot|Ballot.*)|gl_Subgroup(Eq|Ge|Gt|Le|Lt)Mask")},
	{"GL_KHR_shader_subgroup_shuffle", fullName("subgroupShuffle(Xor)?")},
	{"GL_KHR_shader_subgroup_shuffle_relative", fullName("subgroupShuffle(Up|Down)")},
	{"GL_KHR_shader_subgroup_rotate", fullName("subgroup(Clustered)?Rotate")},
	{"GL_KHR_shader_subgroup_clustered", fullName("subgroupClustered(Add|Mul|Min|Max|And|Or|Xor)")},
	{"GL_KHR_shader_subgroup_quad", fullName("subgroupQuad(Broadcast|Swap(Horizontal|Vertical|Diagonal))")},
	{"GL_KHR_shader_subgroup_arithmetic", fullName("subgroup(Inclusive|Exclusive)?(Add|Mul|Min|Max|And|Or|Xor)")},
	{"GL_ARB_shader_group_vote", fullName("(anyInvocation|allInvocations|allInvocationsEqual)ARB")},
	{"GL_ARB_shader_ballot", fullName("read(First)?InvocationARB|gl_SubGroup(Size|Invocation)ARB")},
}

func fullName(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") }

// subgroupNeeds is the line that declares a name of subgroups, "" for other names. It is asked of names that nothing declares.
func subgroupNeeds(name string) string {
	if subgroupAliases[name] != "" && !strings.HasSuffix(name, "ARB") {
		return "#version 460"
	}
	for _, s := range subgroupNames {
		if s.names.MatchString(name) {
			return "#extension " + s.extension + " : enable"
		}
	}
	return ""
}
