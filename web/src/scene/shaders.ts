/** Light on a face: key, fill and rim hang on the camera, the room is a gradient; as in facewright.render.shade. */
import { BENT, TEXTURES } from './textures/shader'
import { MOVES_WIDTH, SHARES_WIDTH, VALUES_WIDTH } from './morph'
import { STIFF } from './stiff'

/** Moves `p` and turns `n` by the shapes of this vertex, then by its shares in the joints of eyes, head and neck. */
export const MORPH = /* glsl */ `
in vec4 follow;
uniform bool followed;
uniform mat4 fromHead; // takes the turn of the head out, which is above all vertices
uniform mat4 toNeck; // the same, then where the neck is
uniform mat4 toEyes[2]; // joints of the left and the right eye, by how much they move a place
void followJoints(inout vec3 p, inout vec3 n) {
  mat4 eyes = follow.z * toEyes[0] + follow.w * toEyes[1];
  p += (eyes * vec4(p, 1.0)).xyz;
  n += mat3(eyes) * n;
  if (!followed) return;
  float rest = 1.0 - follow.x - follow.y;
  mat4 by = rest * fromHead + follow.y * toNeck;
  p = follow.x * p + (by * vec4(p, 1.0)).xyz;
  n = follow.x * n + mat3(by) * n;
}
#ifdef POSED // the page has done it
in vec3 posed;
in vec3 posedNormal;
void morph(inout vec3 p, inout vec3 n) {
  p = posed;
  n = posedNormal;
  followJoints(p, n);
}
#else
precision highp sampler2D;
uniform sampler2D moves;
uniform sampler2D values;
uniform sampler2D shares;
uniform int rows;
uniform int shapes;
in uvec2 span;
in uvec2 within;
in uint kind;
uniform mat4 stiff[${STIFF}];
uniform bool stiffOn[${STIFF}];
float valueIn(int row, int shape) {
  int k = row * shapes + shape;
  return texelFetch(values, ivec2(k % ${VALUES_WIDTH}, k / ${VALUES_WIDTH}), 0).r;
}
// The first row is the whole face's; where regions differ, a vertex has the mean of its own.
float valueOf(int shape) {
  float whole = valueIn(0, shape);
  if (rows == 1) return whole;
  float sum = whole;
  for (uint j = within.x; j < within.y; j++) {
    int k = int(j);
    vec2 part = texelFetch(shares, ivec2(k % ${SHARES_WIDTH}, k / ${SHARES_WIDTH}), 0).rg;
    sum += part.y * (valueIn(int(part.x) + 1, shape) - whole);
  }
  return sum;
}
void morph(inout vec3 p, inout vec3 n) {
  int part = int(kind) - 1;
  if (part >= 0 && stiffOn[part]) { // moves as one
    p = (stiff[part] * vec4(p, 1.0)).xyz;
    n = mat3(stiff[part]) * n;
    followJoints(p, n);
    return;
  }
  for (uint i = span.x; i < span.y; i++) {
    int k = int(2u * i);
    ivec2 at = ivec2(k % ${MOVES_WIDTH}, k / ${MOVES_WIDTH});
    vec4 move = texelFetch(moves, at, 0);
    float value = valueOf(int(move.w));
    if (value != 0.0) {
      p += value * move.xyz;
      n += value * texelFetch(moves, at + ivec2(1, 0), 0).xyz;
    }
  }
  followJoints(p, n);
}
#endif`

export const FACE_VERTEX = /* glsl */ `${MORPH}
in float open;
in vec3 ball;
in vec4 paint;
in vec2 picked;
uniform mat4 toShadow;
out vec4 vPaint;
out vec2 vPicked;
out vec3 vNormal;
out vec3 vPlace;
out vec3 vBall;
out vec2 vUv;
out float vOpen;
out vec4 vShadow;
void main() {
  vec3 p = position;
  vec3 n = normal;
  morph(p, n);
  n = normalize(n);
  vec4 scene = modelMatrix * vec4(p, 1.0);
  vec4 seen = viewMatrix * scene;
  vNormal = normalMatrix * n;
  vPlace = seen.xyz;
  vBall = ball;
  vUv = uv;
  vOpen = open;
  vPaint = paint;
  vPicked = picked;
  vec3 outward = normalize(mat3(modelMatrix) * n);
  vShadow = toShadow * vec4(scene.xyz + 0.008 * outward, 1.0);
  gl_Position = projectionMatrix * seen;
}`

/** Where lamps are, and the room, as in a studio for portraits. */
export const STUDIO_LAMPS = /* glsl */ `
const vec3 KEY = normalize(vec3(-0.62, 0.62, 0.78));
const vec3 FILL = normalize(vec3(0.9, 0.1, 0.6));
const vec3 RIM = normalize(vec3(0.66, 0.42, -0.72));
const vec3 SKY = vec3(0.26, 0.28, 0.31);
const vec3 FLOOR = vec3(0.11, 0.09, 0.08);
`

/** The same, as the preset of lighting says. */
const PRESET_LAMPS = /* glsl */ `
uniform vec3 KEY;
uniform vec3 FILL;
uniform vec3 RIM;
uniform vec3 SKY;
uniform vec3 FLOOR;
uniform vec3 KEY_COLOR;
uniform vec3 FILL_COLOR;
uniform vec3 RIM_COLOR;
uniform bool hasMatcap;
uniform sampler2D matcap;
`

/** Lamps, the room and the screen, for a surface with `creep`, `shine` and `roughness`. */
export const LIGHT = /* glsl */ `
const vec3 CATCH = normalize(vec3(-0.34, 0.36, 0.87));

vec3 room(vec3 toward) { return mix(FLOOR, SKY, 0.5 + 0.5 * toward.y); }
float squared(float x) { return x * x; } // pow takes the processor, where that draws, ten times as long
float fresnel(float c) {
  float away = 1.0 - clamp(c, 0.0, 1.0);
  return 0.025 + 0.975 * squared(squared(away)) * away;
}

float glint(vec3 n, vec3 eye, vec3 toward) {
  vec3 h = normalize(eye + toward);
  float power = max(2.0 / squared(squared(max(roughness, 0.05))) - 2.0, 1.0);
  return shine * fresnel(dot(eye, h)) * (power + 8.0) / 8.0 * pow(max(dot(n, h), 0.0), power);
}

vec3 lamp(vec3 base, vec3 n, vec3 eye, vec3 toward, float arrives) {
  float slope = dot(n, toward);
  vec3 soft = max((slope + creep) / ((1.0 + creep) * (1.0 + creep)), 0.0);
  vec3 shaded = pow(vec3(arrives), 1.0 / (1.0 + 2.0 * creep));
  return base * soft * shaded + glint(n, eye, toward) * max(slope, 0.0) * arrives;
}

vec3 eyeColor(vec3 white, vec3 ball) {
  vec3 b = normalize(ball);
  float away = (b.z > 0.0 ? length(b.xy) : 2.0) / 0.45;
  float angle = atan(b.y, b.x);
  float threads = 0.5 + 0.5 * sin(37.0 * angle + 3.0 * sin(5.0 * angle)) * sin(23.0 * angle + 1.7);
  float outward = clamp((away - 0.38) / 0.62, 0.0, 1.0);
  vec3 c = vec3(0.1066, 0.1066, 0.0892) * (0.75 + 0.5 * threads * (1.0 - outward) + 1.8 * outward * (1.0 - outward));
  c = mix(c, vec3(0.0100, 0.0175, 0.0246), smoothstep(0.80, 1.0, away));
  c = mix(c, vec3(0.0015, 0.0015, 0.0019), 1.0 - smoothstep(0.34, 0.42, away));
  vec3 outer = white * (1.0 - 0.8 * smoothstep(1.2, 2.1, away) * (1.0 - vec3(0.604, 0.318, 0.263)));
  return mix(c, outer, smoothstep(0.94, 1.08, away));
}

vec3 rolledOff(vec3 light) {
  vec3 over = max(light - 0.55, 0.0);
  return min(light, 0.55) + 0.45 * over / (0.45 + over);
}

vec3 toScreen(vec3 l) {
  return mix(12.92 * l, 1.055 * pow(max(l, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l));
}`

export const FACE_FRAGMENT = /* glsl */ `
precision highp float;
precision highp sampler2DShadow;
uniform vec3 color;
uniform vec3 creep;
uniform float shine;
uniform float baseRoughness;
float roughness;
uniform bool textured;
uniform float opacity;
uniform float cutoff;
uniform sampler2D map;
uniform sampler2DShadow shadow;
uniform bool hasTextures;
uniform sampler2D surfaceSlopes;
uniform sampler2D surfaceRoughness;
uniform bool hasSlopes;
uniform bool hasRoughness;
${TEXTURES}
${BENT}
in vec3 vNormal;
in vec3 vPlace;
in vec3 vBall;
in vec2 vUv;
in float vOpen;
in vec4 vShadow;
in vec4 vPaint;
in vec2 vPicked;
uniform float painted;
uniform float chosen;
out vec4 result;

// A border where half of the surface belongs to a region, two pixels wide.
float border(float share) { return 1.0 - smoothstep(0.5, 1.4, abs(share - 0.5) / max(fwidth(share), 1e-4)); }

// Dim what is outside the chosen region, draw its border, and lighten the region under the pointer.
vec3 pointedOut(vec3 seen) {
  float inside = smoothstep(0.1, 0.9, vPicked.x);
  vec3 grey = vec3(dot(seen, vec3(0.3, 0.59, 0.11)));
  vec3 back = mix(seen, grey, 0.3) * 0.68;
  vec3 shown = mix(seen, back, chosen * (1.0 - inside));
  shown = mix(shown, vec3(1.0), 0.10 * smoothstep(0.1, 0.9, vPicked.y));
  shown = mix(shown, vec3(0.93, 0.96, 1.0), 0.55 * border(vPicked.y));
  return mix(shown, vec3(0.36, 0.83, 0.74), chosen * border(vPicked.x));
}

${PRESET_LAMPS}
${LIGHT}
float lit() {
  vec3 at = vShadow.xyz / vShadow.w * 0.5 + 0.5;
  float sum = 0.0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      sum += texture(shadow, at + vec3(vec2(float(x), float(y)) * 2.6 / 1024.0, -0.002));
  return sum / 9.0;
}

void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 eye = normalize(-vPlace);
  vec3 base = color;
  float alpha = opacity;
  roughness = baseRoughness;
  if (hasTextures && hasSlopes) n = bent(n, texture(surfaceSlopes, vUv).xy, vPlace, vUv);
  if (hasTextures && hasRoughness) roughness = texture(surfaceRoughness, vUv).x;
  if (hasTextures) base = textureColor(vUv, gl_FragCoord.x);
  else if (textured) {
    vec4 texel = texture(map, vUv);
    base *= texel.rgb;
    alpha *= texel.a;
    if (alpha < cutoff) discard;
  }
#ifdef IRIS
  else base = eyeColor(color, vBall);
#endif
  base = mix(base, vPaint.rgb, painted * vPaint.a);
  if (hasMatcap) {
    vec3 seen = texture(matcap, 0.5 + 0.49 * n.xy).rgb * (gl_FrontFacing ? 1.0 : 0.25);
    result = vec4(pointedOut(mix(seen, toScreen(vPaint.rgb), painted * vPaint.a)), 1.0);
    return;
  }
  // Darken the inside of an open surface, but not back faces that are seen edge-on at an outline.
  float inside = gl_FrontFacing ? 0.0 : smoothstep(0.1, 0.4, dot(n, eye));
  base *= mix(1.0, 0.1, inside);
  // Openness is known at rest only; the lower bound keeps an opened mouth from being black.
  float opened = mix(0.22, 1.0, vOpen * mix(1.0, 0.3, inside));
  float facing = max(dot(n, eye), 1e-3);
  float key = lit();
  float fill = smoothstep(0.0, 0.7, opened);
  float inner = opened * (0.3 + 0.7 * max(key, fill));
  vec3 light = base * room(n) * inner;
  light += shine * fresnel(facing) * (1.0 - 0.7 * roughness) * opened * room(reflect(-eye, n));
  light += lamp(base, n, eye, KEY, key) * KEY_COLOR;
  light += lamp(base, n, eye, FILL, fill) * FILL_COLOR;
  light += lamp(base, n, eye, RIM, smoothstep(0.3, 0.8, opened)) * RIM_COLOR;
  light += max(1.0 - 2.5 * roughness, 0.0) * glint(n, eye, CATCH) * smoothstep(0.1, 0.5, opened) * 2.6;
  float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  result = vec4(pointedOut(toScreen(rolledOff(light))) + grain / 255.0, cutoff == 0.0 ? alpha : 1.0);
}`

export const PLAIN_VERTEX = /* glsl */ `${MORPH}
uniform float dot_size;
uniform float lift;
out vec3 vNormal;
out vec3 vPlace;
void main() {
  vec3 p = position;
  vec3 n = normal;
  morph(p, n);
  vec4 seen = modelViewMatrix * vec4(p, 1.0);
  seen.xyz *= 1.0 - lift;
  vNormal = normalMatrix * normalize(n);
  vPlace = seen.xyz;
  gl_PointSize = dot_size;
  gl_Position = projectionMatrix * seen;
}`

/** A ghost of another pose: nearly transparent where it faces the camera, opaque at the rim. */
export const GHOST_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 tint;
in vec3 vNormal;
in vec3 vPlace;
out vec4 result;
void main() {
  float rim = 1.0 - abs(dot(normalize(vNormal), normalize(-vPlace)));
  result = vec4(tint, 0.06 + 0.8 * rim * rim * rim);
}`

export const LINE_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 tint;
uniform float strength;
in vec3 vNormal;
in vec3 vPlace;
out vec4 result;
void main() {
  float facing = dot(normalize(vNormal), normalize(-vPlace));
  result = vec4(tint, strength * smoothstep(-0.1, 0.3, facing));
}`

export const DOT_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 tint;
in vec3 vNormal;
in vec3 vPlace;
out vec4 result;
void main() {
  float away = length(gl_PointCoord - 0.5) * 2.0;
  float facing = dot(normalize(vNormal), normalize(-vPlace));
  if (away > 1.0 || facing < -0.1) discard;
  result = vec4(mix(tint, vec3(0.08, 0.06, 0.03), smoothstep(0.62, 0.78, away)), 1.0 - smoothstep(0.86, 1.0, away));
}`

export const DEPTH_FRAGMENT = /* glsl */ `
precision highp float;
out vec4 result;
void main() { result = vec4(1.0); }`

export const BACKDROP_VERTEX = /* glsl */ `
out vec2 at;
void main() {
  at = position.xy * 0.5 + 0.5;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`

export const BACKDROP_FRAGMENT = /* glsl */ `
precision highp float;
in vec2 at;
out vec4 result;
void main() {
  float reach = length(vec2(at.x - 0.5, 0.85 * (0.58 - at.y)));
  vec3 c = mix(vec3(0.165, 0.175, 0.19), vec3(0.065, 0.068, 0.075), smoothstep(0.0, 0.72, reach));
  float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  result = vec4(c + grain / 255.0, 1.0);
}`
