// A first look, once in the middle of each pixel: where, which way, and what the lamps reach.
centroid in vec3 v_place;
centroid in vec3 v_bend;
in float v_away;
layout(location = 0) out vec4 place;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 lit;
layout(location = 3) out vec2 depth;  // the largest and the least

void main() {
    vec3 n = seen_normal(v_bend);
    place = vec4(v_place, 1.0);
    depth = vec2(v_away);
    normal = vec4(n, 1.0);
    lit = vec4(lit_at(v_place, n, ivec2(gl_FragCoord.xy)), 1.0);
}
