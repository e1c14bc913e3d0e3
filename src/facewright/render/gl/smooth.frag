// Light averaged over four pixels, and the least and largest depth of six, along one direction; then the other.
uniform sampler2D sums;     // light of three lamps, and cover
uniform sampler2D depths;   // largest and least
uniform ivec2 along;
uniform bool last;
uniform float flat_step;
layout(location = 0) out vec4 sum;
layout(location = 1) out vec2 depth;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 most = textureSize(sums, 0) - 1;
    sum = vec4(0.0);
    depth = vec2(-1e30, 1e30);
    for (int i = -3; i <= 2; i++) {
        ivec2 there = at + i * along;
        ivec2 held = clamp(there, ivec2(0), most);
        if (i >= -2 && i <= 1) sum += texelFetch(sums, held, 0) / 4.0;
        vec2 found = texelFetch(depths, held, 0).rg;
        depth = vec2(max(depth.r, found.r), min(depth.g, found.g));
    }
    if (last) sum = vec4(sum.rgb / max(sum.a, 1e-6), clamp(2.0 - (depth.r - depth.g) / flat_step, 0.0, 1.0));
}
