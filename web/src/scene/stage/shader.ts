/** A face without shapes, coloured where that is wanted; lit as in the viewport, but without its shadow. */
import { LIGHT, STUDIO_LAMPS } from '../shaders'

export const PREVIEW_VERTEX = /* glsl */ `
in float open;
in vec3 ball;
in vec3 heat;
out vec3 vNormal;
out vec3 vPlace;
out vec3 vBall;
out vec3 vHeat;
out float vOpen;
void main() {
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vPlace = seen.xyz;
  vBall = ball;
  vHeat = heat;
  vOpen = open;
  gl_Position = projectionMatrix * seen;
}`

export const PREVIEW_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 color;
uniform vec3 creep;
uniform float shine;
uniform float roughness;
uniform bool colored;
in vec3 vNormal;
in vec3 vPlace;
in vec3 vBall;
in vec3 vHeat;
in float vOpen;
out vec4 result;
${STUDIO_LAMPS}${LIGHT}
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 eye = normalize(-vPlace);
  vec3 base = color;
#ifdef IRIS
  base = eyeColor(color, vBall);
#endif
  if (colored) base = vHeat;
  float inside = gl_FrontFacing ? 0.0 : smoothstep(0.35, 0.75, dot(n, eye));
  base *= mix(1.0, 0.1, inside);
  float opened = mix(0.22, 1.0, vOpen * mix(1.0, 0.3, inside));
  float key = smoothstep(0.25, 0.75, opened);
  float fill = smoothstep(0.0, 0.7, opened);
  vec3 light = base * room(n) * opened * (0.3 + 0.7 * fill);
  light += lamp(base, n, eye, KEY, key) * vec3(1.44, 1.3, 1.16);
  light += lamp(base, n, eye, FILL, fill) * vec3(0.15, 0.18, 0.225);
  // Colours that mean something are not tinted by the rim.
  if (!colored) light += lamp(base, n, eye, RIM, smoothstep(0.3, 0.8, opened)) * vec3(0.95, 1.05, 1.2);
  if (colored) light = mix(light, base, 0.45);
  result = vec4(toScreen(rolledOff(light)), 1.0);
}`
