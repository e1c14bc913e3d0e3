// A Gaussian along one direction; after the second, how open where anything is.
uniform sampler2D given;
uniform ivec2 along;
uniform bool last;
uniform float weights[BLUR + 1];
layout(location = 0) out vec2 blurred;

int mirrored(int at, int count) {
    at = at < 0 ? -at - 1 : at;
    return at >= count ? 2 * count - 1 - at : at;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(given, 0);
    blurred = vec2(0.0);
    for (int i = -BLUR; i <= BLUR; i++) {
        ivec2 there = at + i * along;
        there = clamp(ivec2(mirrored(there.x, size.x), mirrored(there.y, size.y)), ivec2(0), size - 1);
        blurred += weights[abs(i)] * texelFetch(given, there, 0).rg;
    }
    if (last) blurred = vec2(blurred.r / max(blurred.g, 1e-3), 1.0);
}
