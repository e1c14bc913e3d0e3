// How open the surface is to the room, on every cell-th pixel: what rises over it nearby.
uniform sampler2D place;
uniform sampler2D normal;
uniform int cell;
uniform float scale;   // pixels in a unit of length
uniform float reach;   // pixels
uniform ivec2 taps[ROOM_TAPS];
uniform int count;
layout(location = 0) out vec2 open_and_full;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 cells = (textureSize(place, 0) + cell - 1) / cell;
    vec4 n = texelFetch(normal, at * cell, 0);
    if (n.a < 0.5) { open_and_full = vec2(0.0); return; }
    vec3 here = texelFetch(place, at * cell, 0).xyz * scale;
    float over = 0.0;
    for (int i = 0; i < count; i++) {
        ivec2 there = at + taps[i];
        if (any(lessThan(there, ivec2(0))) || any(greaterThanEqual(there, cells))) continue;
        if (texelFetch(normal, there * cell, 0).a < 0.5) continue;
        vec3 away = texelFetch(place, there * cell, 0).xyz * scale - here;
        float far = length(away) + 1e-6;
        over += max(dot(away, n.xyz) / far - 0.12, 0.0) * max(1.0 - far / (1.6 * reach), 0.0);
    }
    open_and_full = vec2(clamp(1.0 - ROOM_STRENGTH * over, ROOM_LEAST, 1.0), 1.0);
}
