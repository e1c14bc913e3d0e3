// Pixels in sRGB, dithered, over a backdrop or alone.
uniform sampler2D given;
uniform sampler2D backdrop;
uniform sampler2D grain;
uniform bool alone;
out vec4 pixel;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 found = texelFetch(given, at, 0);
    float cover = min(found.a, 1.0);
    vec3 light = alone ? found.rgb / max(cover, 1e-9) : found.rgb + (1.0 - cover) * texelFetch(backdrop, at, 0).rgb;
    light = clamp(light, 0.0, 1.0);
    vec3 level = mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light, lessThanEqual(light, vec3(0.0031308)));
    level = min(floor(255.0 * level + texelFetch(grain, at % 8, 0).r), 255.0) / 255.0;
    float alpha = alone ? floor(255.0 * cover + 0.5) / 255.0 : 1.0;
    pixel = vec4(alone && alpha == 0.0 ? vec3(0.0) : level, alpha);
}
