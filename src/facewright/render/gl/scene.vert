// Corners of triangles before a camera, or before a lamp. Rows go down, as in our pictures.
in vec3 place;
in vec3 bend;
in vec3 ball;
in vec2 uv;
in vec4 paint;
in vec3 apart;
in vec2 kind;

uniform mat3 axes;       // rows: right, up, forward
uniform vec3 eye;
uniform vec2 lens;       // from right and up to the picture's half width and half height
uniform bool perspective;
uniform vec2 range;      // nearest and furthest distance
uniform vec2 shift;      // of the samples, in half pictures

invariant gl_Position;
centroid out vec3 v_place;
centroid out vec3 v_bend;
centroid out vec3 v_ball;
centroid out vec2 v_uv;
centroid out vec4 v_paint;
centroid out vec3 v_apart;
out float v_away;
flat out int v_material;
flat out float v_ink;

void main() {
    vec3 seen = axes * (place - eye);
    float w = perspective ? seen.z : 1.0;
    float wide = range.y - range.x;
    float z = perspective ? (range.y + range.x) / wide * seen.z - 2.0 * range.y * range.x / wide
                          : (2.0 * seen.z - range.y - range.x) / wide;
    gl_Position = vec4(seen.x * lens.x + shift.x * w, shift.y * w - seen.y * lens.y, z, w);
    v_place = place;
    v_bend = bend;
    v_ball = ball;
    v_uv = uv;
    v_paint = paint;
    v_apart = apart;
    v_away = seen.z;
    v_material = int(kind.x + 0.5);
    v_ink = kind.y;
}
