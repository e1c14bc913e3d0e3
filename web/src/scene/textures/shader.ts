/** A mix of textures where it is seen: pictures of one or two, and over them how the smooth parts change. */
import { Texture, Vector2, type IUniform } from 'three'

export interface TextureUniforms extends Record<string, IUniform> {
  textureNeutral: IUniform<Texture | null>
  textureNew: IUniform<Texture | null>
  textureFormer: IUniform<Texture | null>
  textureChange: IUniform<Texture | null>
  texturePlain: IUniform<Texture | null>
  textureMask: IUniform<Texture | null>
  textureShares: IUniform<Vector2>
  textureExtent: IUniform<Vector2>
  textureMasked: IUniform<boolean>
  textureSplit: IUniform<number>
}

export const ALL_PLAIN = 1e9

export function textureUniforms(): TextureUniforms {
  return {
    textureNeutral: { value: null },
    textureNew: { value: null },
    textureFormer: { value: null },
    textureChange: { value: null },
    texturePlain: { value: null },
    textureMask: { value: null },
    textureShares: { value: new Vector2(1, 0) },
    textureExtent: { value: new Vector2(1, 1) },
    textureMasked: { value: false },
    textureSplit: { value: 0 },
  }
}

/** Linear light of the texture at `uv`, for a pixel at `x` of the canvas. */
export const TEXTURES = /* glsl */ `
uniform sampler2D textureNeutral;
uniform sampler2D textureNew;
uniform sampler2D textureFormer;
uniform sampler2D textureChange;
uniform sampler2D texturePlain;
uniform sampler2D textureMask;
uniform vec2 textureShares; // of the new and the former detail
uniform vec2 textureExtent; // of the cells, that the picture takes
uniform bool textureMasked;
uniform float textureSplit; // the mix is plain to the left of it

vec3 textureInBands(vec2 uv) {
  vec2 at = mix(fract(uv), uv, vec2(greaterThanEqual(uv, vec2(0.0))) * vec2(lessThanEqual(uv, vec2(1.0))));
  vec2 cell = vec2(at.x * textureExtent.x, 1.0 - (1.0 - at.y) * textureExtent.y);
  vec3 sharp = textureShares.x * texture(textureNew, uv).rgb;
  if (textureShares.y != 0.0) sharp += textureShares.y * texture(textureFormer, uv).rgb;
  return sharp + texture(textureChange, cell).rgb;
}

vec3 textureColor(vec2 uv, float x) {
  vec3 plain = vec3(0.0);
  vec3 inBands = vec3(0.0);
  if (textureSplit > 0.0) plain = texture(texturePlain, uv).rgb;
  if (textureSplit < ${ALL_PLAIN.toFixed(1)}) inBands = textureInBands(uv);
  vec3 light = x < textureSplit ? plain : inBands;
  if (textureMasked) {
    vec3 still = texture(textureNeutral, uv).rgb;
    light = mix(light, still, dot(texture(textureMask, uv).rgb, vec3(0.299, 0.587, 0.114)));
  }
  return max(light, 0.0);
}`
