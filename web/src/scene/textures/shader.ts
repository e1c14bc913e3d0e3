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
  surfaceSlopes: IUniform<Texture | null>
  surfaceRoughness: IUniform<Texture | null>
  hasSlopes: IUniform<boolean>
  hasRoughness: IUniform<boolean>
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
    surfaceSlopes: { value: null },
    surfaceRoughness: { value: null },
    hasSlopes: { value: false },
    hasRoughness: { value: false },
  }
}

/** Normals bent by the slopes of a map, as facewright.render.bumps has it; places and texture coordinates by pixels. */
export const BENT = /* glsl */ `
vec3 bent(vec3 n, vec2 slopes, vec3 place, vec2 uv) {
  vec3 across = dFdx(place), down = dFdy(place);
  vec2 uvAcross = dFdx(uv), uvDown = dFdy(uv);
  vec3 along = cross(down, n), beside = cross(n, across);
  float turned = sign(dot(cross(across, down), n)) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 right = along * uvAcross.x + beside * uvDown.x;
  vec3 up = along * uvAcross.y + beside * uvDown.y;
  float longest = sqrt(max(dot(right, right), dot(up, up)));
  return longest > 0.0 ? normalize(n + turned * (slopes.x * right + slopes.y * up) / longest) : n;
}`

/** Linear light of the texture at `uv`, for a pixel at `x` of the canvas; numbers of a map may be below 0. */
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

vec3 textureValue(vec2 uv, float x) {
  vec3 plain = vec3(0.0);
  vec3 inBands = vec3(0.0);
  if (textureSplit > 0.0) plain = texture(texturePlain, uv).rgb;
  if (textureSplit < ${ALL_PLAIN.toFixed(1)}) inBands = textureInBands(uv);
  vec3 light = x < textureSplit ? plain : inBands;
  if (textureMasked) {
    vec3 still = texture(textureNeutral, uv).rgb;
    light = mix(light, still, dot(texture(textureMask, uv).rgb, vec3(0.299, 0.587, 0.114)));
  }
  return light;
}

vec3 textureColor(vec2 uv, float x) { return max(textureValue(uv, x), 0.0); }`
