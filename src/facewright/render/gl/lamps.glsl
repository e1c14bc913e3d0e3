// What three lamps far away reach, from what each of them sees.
uniform mat3 lamp_axes[3];   // rows: right, up, forward
uniform vec3 lamp_eye[3];
uniform float lamp_scale[3]; // texels in a unit of length
uniform float lamp_slack[3];
uniform int lamp_across;
uniform vec2 taps[TAPS * 16];
uniform sampler2D lamp_map0;
uniform sampler2D lamp_map1;
uniform sampler2D lamp_map2;

float seen_by(int lamp, ivec2 at) {
    at = clamp(at, ivec2(0), ivec2(lamp_across - 1));
    if (lamp == 0) return texelFetch(lamp_map0, at, 0).r;
    if (lamp == 1) return texelFetch(lamp_map1, at, 0).r;
    return texelFetch(lamp_map2, at, 0).r;
}

float reaches(int lamp, vec3 place, vec3 normal, int turn) {
    float slack = lamp_slack[lamp];
    float scale = lamp_scale[lamp];
    vec3 seen = lamp_axes[lamp] * (place + normal * slack - lamp_eye[lamp]);
    vec2 at = float(lamp_across) * 0.5 + scale * vec2(seen.x, -seen.y);
    vec3 facing = lamp_axes[lamp] * normal;
    vec2 lean = vec2(facing.x, -facing.y) / (scale * max(-facing.z, 0.2));
    float total = 0.0;
    for (int i = 0; i < TAPS; i++) {
        vec2 step = taps[i * 16 + turn] * float(lamp_across);
        float own = seen.z + dot(lean, step);
        total += clamp((seen_by(lamp, ivec2(floor(at + step))) - own) / slack + 1.0, 0.0, 1.0);
    }
    return total / float(TAPS);
}

vec3 lit_at(vec3 place, vec3 normal, ivec2 pixel) {
    int turn = 4 * (pixel.y % 4) + pixel.x % 4;
    return vec3(reaches(0, place, normal, turn), reaches(1, place, normal, turn), reaches(2, place, normal, turn));
}
