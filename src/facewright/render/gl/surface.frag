// Light that leaves a surface towards the eye: the same as shade.py, scene.py and eye.py say it.
centroid in vec3 v_place;
centroid in vec3 v_bend;
centroid in vec3 v_ball;
centroid in vec2 v_uv;
centroid in vec4 v_paint;
centroid in vec3 v_apart;
flat in int v_material;
flat in float v_ink;

uniform vec3 eye;
uniform bool perspective;
uniform sampler2D materials;  // rows: colour and shine; wrap and roughness; iris, two sides
uniform bool textured;
uniform sampler2D skin;
uniform bool bumpy;
uniform sampler2D bumps;        // slopes to the right and up
uniform bool mapped_rough;
uniform sampler2D roughs;
uniform bool painted;
uniform bool wire;
uniform float line_width;
uniform sampler2D first_place;
uniform sampler2D first_lit;
uniform int around;           // nine pixels
uniform sampler2D smoothed;   // light of three lamps, and how much of it is smooth
uniform sampler2D room;
uniform int cell;
uniform vec3 toward[4];       // key, fill, rim and catch light
uniform vec3 strength[4];
uniform vec3 sky;
uniform vec3 floor_light;

out vec4 light;

float fresnel(float cosine) { return 0.025 + 0.975 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); }

vec3 room_light(vec3 to) { return mix(floor_light, sky, 0.5 + 0.5 * to.y); }

float glint(vec3 normal, vec3 to_eye, vec3 to, float shine, float roughness) {
    vec3 between = normalize(to_eye + to);
    float power = max(2.0 / pow(max(roughness, 0.05), 4.0) - 2.0, 1.0);
    float lobe = pow(max(dot(normal, between), 0.0), power);
    return shine * fresnel(dot(to_eye, between)) * (power + 8.0) / 8.0 * lobe;
}

vec3 iris(float away, float angle) {
    float threads = 0.5 + 0.5 * sin(37.0 * angle + 3.0 * sin(5.0 * angle)) * sin(23.0 * angle + 1.7);
    float outward = clamp((away - PUPIL_SHARE) / (1.0 - PUPIL_SHARE), 0.0, 1.0);
    vec3 color = IRIS * (0.75 + 0.5 * threads * (1.0 - outward) + 1.8 * outward * (1.0 - outward));
    color = mix(color, RIM, smoothstep(0.80, 1.0, away));
    return mix(color, PUPIL, 1.0 - smoothstep(PUPIL_SHARE - 0.04, PUPIL_SHARE + 0.04, away));
}

vec3 eye_color(vec3 placed, vec3 white) {
    vec3 at = placed / max(length(placed), 1e-6);
    float away = (at.z > 0.0 ? length(at.xy) : 2.0) / IRIS_SINE;
    vec3 outer = white * (1.0 - 0.8 * smoothstep(1.2, 2.1, away) * (1.0 - VEIN));
    return mix(iris(away, atan(at.y, at.x)), outer, smoothstep(0.94, 1.08, away));
}

vec3 texels_at(sampler2D map, vec2 uv, vec2 across, vec2 down) {
    vec2 texels = vec2(textureSize(map, 0));
    float wide = length(across * texels), high = length(down * texels);
    vec2 longer = wide >= high ? across : down;
    float count = clamp(ceil(max(wide, high) / max(min(wide, high), 1.0)), 1.0, float(PROBES));
    float level = log2(max(max(wide, high) / count, 1.0));
    vec3 found = vec3(0.0);
    for (int i = 0; i < int(count); i++) {
        vec2 at = uv + ((float(i) + 0.5) / count - 0.5) * longer;
        found += textureLod(map, vec2(at.x, 1.0 - at.y), level).rgb;
    }
    return found / count;
}

// As in bumps.py, with the derivatives of the picture in place of edges.
vec3 bent(vec3 normal, vec2 slopes, vec3 across, vec3 down, vec2 uv_across, vec2 uv_down) {
    vec3 along = cross(down, normal), beside = cross(normal, across);
    float turned = sign(dot(cross(across, down), normal)) * (gl_FrontFacing ? 1.0 : -1.0);
    vec3 right = along * uv_across.x + beside * uv_down.x;
    vec3 up = along * uv_across.y + beside * uv_down.y;
    float longest = sqrt(max(dot(right, right), dot(up, up)));
    return longest > 0.0 ? normalize(normal + turned * (slopes.x * right + slopes.y * up) / longest) : normal;
}

void main() {
    vec2 uv_across = dFdx(v_uv), uv_down = dFdy(v_uv);
    vec3 across = dFdx(v_place), down = dFdy(v_place);
    vec4 a = texelFetch(materials, ivec2(0, v_material), 0);
    vec4 b = texelFetch(materials, ivec2(1, v_material), 0);
    vec4 flags = texelFetch(materials, ivec2(2, v_material), 0);
    float iris_flag = flags.r;
    vec3 color = a.rgb, wrap = b.rgb;
    float shine = a.a, roughness = b.a;
    if (textured) color *= texels_at(skin, v_uv, uv_across, uv_down);
    if (mapped_rough) roughness = texels_at(roughs, v_uv, uv_across, uv_down).r;
    if (iris_flag > 0.5) color = eye_color(v_ball, color);
    if (!gl_FrontFacing && flags.g < 0.5) color *= INSIDE;
    if (painted) {
        color += v_paint.a * (v_paint.rgb - color);
        shine *= 1.0 - (1.0 - MATTE) * v_paint.a;
    }
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec3 normal = seen_normal(v_bend);
    if (bumpy) normal = bent(normal, texels_at(bumps, v_uv, uv_across, uv_down).xy, across, down, uv_across, uv_down);
    vec3 to_eye = perspective ? normalize(eye - v_place) : vec3(0.0, 0.0, 1.0);
    vec4 calm = texelFetch(smoothed, pixel, 0);
    vec3 lit = calm.rgb;
    // Beside an edge: as on the nearest pixel that shows this side of it. A loop, because software GL skips nothing else.
    float nearest = 1e30;
    vec3 own = lit;
    for (int i = 0; i < around && calm.a < 1.0; i++) {
        ivec2 there = clamp(pixel + ivec2(i % 3, i / 3) - 1, ivec2(0), textureSize(first_lit, 0) - 1);
        vec4 found = texelFetch(first_lit, there, 0);
        vec3 away = texelFetch(first_place, there, 0).xyz - v_place;
        float far = found.a > 0.5 ? dot(away, away) : 1e29;
        if (far < nearest) own = found.rgb;
        nearest = min(nearest, far);
    }
    lit = mix(own, lit, calm.a);
    vec2 at = (floor(gl_FragCoord.xy) / float(cell) + 0.5) / vec2(textureSize(room, 0));
    float inner = clamp(texture(room, at).r, ROOM_LEAST, 1.0) * (0.3 + 0.7 * max(lit.x, lit.y));

    float facing = max(dot(normal, to_eye), 1e-3);
    vec3 sum = color * room_light(normal) * inner;
    vec3 mirrored = 2.0 * facing * normal - to_eye;
    sum += shine * fresnel(facing) * (1.0 - 0.7 * roughness) * room_light(mirrored) * inner;
    for (int i = 0; i < 3; i++) {
        float slope = dot(normal, toward[i]);
        vec3 soft = max((slope + wrap) / ((1.0 + wrap) * (1.0 + wrap)), 0.0);
        vec3 shaded = pow(vec3(lit[i]), 1.0 / (1.0 + 2.0 * wrap));
        float spark = glint(normal, to_eye, toward[i], shine, roughness) * max(slope, 0.0) * lit[i];
        sum += (color * soft * shaded + spark) * strength[i];
    }
    sum += max(1.0 - 2.5 * roughness, 0.0) * glint(normal, to_eye, toward[3], shine, roughness) * strength[3];
    vec3 over = max(sum - KNEE, 0.0);
    sum = min(sum, KNEE) + (1.0 - KNEE) * over / (1.0 - KNEE + over);
    if (wire) {
        float near = min(v_apart.x, min(v_apart.y, v_apart.z));
        sum *= 1.0 - v_ink * clamp(line_width / 2.0 + 0.5 - near, 0.0, 1.0);
    }
    light = vec4(sum, 1.0);
}
