/** A mix of textures where it is seen: pictures of one or two, and over them how the smooth parts change. */
import { Texture, Vector2, type IUniform } from 'three'

export interface LookUniforms extends Record<string, IUniform> {
  lookNeutral: IUniform<Texture | null>
  lookNew: IUniform<Texture | null>
  lookFormer: IUniform<Texture | null>
  lookChange: IUniform<Texture | null>
  lookPlain: IUniform<Texture | null>
  lookMask: IUniform<Texture | null>
  lookShares: IUniform<Vector2>
  lookExtent: IUniform<Vector2>
  lookMasked: IUniform<boolean>
  lookSplit: IUniform<number>
}

export const ALL_PLAIN = 1e9

export function lookUniforms(): LookUniforms {
  return {
    lookNeutral: { value: null },
    lookNew: { value: null },
    lookFormer: { value: null },
    lookChange: { value: null },
    lookPlain: { value: null },
    lookMask: { value: null },
    lookShares: { value: new Vector2(1, 0) },
    lookExtent: { value: new Vector2(1, 1) },
    lookMasked: { value: false },
    lookSplit: { value: 0 },
  }
}

/** Linear light of the texture at `uv`, for a pixel at `x` of the canvas. */
export const LOOK = /* glsl */ `
uniform sampler2D lookNeutral;
uniform sampler2D lookNew;
uniform sampler2D lookFormer;
uniform sampler2D lookChange;
uniform sampler2D lookPlain;
uniform sampler2D lookMask;
uniform vec2 lookShares; // of the new and the former detail
uniform vec2 lookExtent; // of the cells, that the picture takes
uniform bool lookMasked;
uniform float lookSplit; // the mix is plain to the left of it

vec3 lookInBands(vec2 uv) {
  vec2 at = mix(fract(uv), uv, vec2(greaterThanEqual(uv, vec2(0.0))) * vec2(lessThanEqual(uv, vec2(1.0))));
  vec2 cell = vec2(at.x * lookExtent.x, 1.0 - (1.0 - at.y) * lookExtent.y);
  vec3 sharp = lookShares.x * texture(lookNew, uv).rgb;
  if (lookShares.y != 0.0) sharp += lookShares.y * texture(lookFormer, uv).rgb;
  return sharp + texture(lookChange, cell).rgb;
}

vec3 lookAt(vec2 uv, float x) {
  vec3 plain = vec3(0.0);
  vec3 inBands = vec3(0.0);
  if (lookSplit > 0.0) plain = texture(lookPlain, uv).rgb;
  if (lookSplit < ${ALL_PLAIN.toFixed(1)}) inBands = lookInBands(uv);
  vec3 light = x < lookSplit ? plain : inBands;
  if (lookMasked) {
    vec3 still = texture(lookNeutral, uv).rgb;
    light = mix(light, still, dot(texture(lookMask, uv).rgb, vec3(0.299, 0.587, 0.114)));
  }
  return max(light, 0.0);
}`
