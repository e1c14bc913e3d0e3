/** Pictures and smooth parts as textures on the graphics card. */
import {
  ClampToEdgeWrapping,
  DataTexture,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  RGBAFormat,
  SRGBColorSpace,
  Texture,
  Vector2,
} from 'three'
import { detailShares, lowBand, lowLimits, picture } from '../../core/routes'
import { anisotropy } from '../card'
import type { Kept } from './store'

const LARGEST = 4096 // texels of a side; larger pictures are made smaller

export interface Picture extends Kept {
  texture: Texture
}

/** `color:ID` or `mask:ID`: light, or plain numbers; `normal:ID` or `roughness:ID`: what the bytes mean. */
export async function loadPicture(key: string): Promise<Picture> {
  const [kind, id] = key.split(':')
  const bitmap = await upright(await picture(id))
  if (kind === 'normal' || kind === 'roughness') return numbersOf(bitmap, kind)
  const texture = new Texture(bitmap)
  texture.flipY = false // the bitmap is already
  texture.colorSpace = kind === 'color' ? SRGBColorSpace : NoColorSpace
  tiled(texture)
  const bytes = Math.ceil((bitmap.width * bitmap.height * 4 * 4) / 3)
  return {
    texture,
    bytes,
    dispose: () => {
      texture.dispose()
      bitmap.close()
    },
  }
}

function tiled(texture: Texture): void {
  texture.wrapS = texture.wrapT = RepeatWrapping
  texture.minFilter = LinearMipmapLinearFilter
  texture.magFilter = LinearFilter
  texture.anisotropy = anisotropy()
  texture.needsUpdate = true
}

/** Slopes of normals, or roughness, in half precision: as facewright.texture.map_kind has them. */
function numbersOf(bitmap: ImageBitmap, kind: 'normal' | 'roughness'): Picture {
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!
  context.drawImage(bitmap, 0, 0)
  const bytes = context.getImageData(0, 0, width, height).data
  bitmap.close()
  const halves = new Uint16Array(bytes.length)
  for (let i = 0; i < bytes.length; i += 4) {
    const found = kind === 'normal' ? slopesOf(bytes[i], bytes[i + 1], bytes[i + 2]) : roughnessOf(bytes[i + 1])
    for (let k = 0; k < 3; k++) halves[i + k] = DataUtils.toHalfFloat(found[k])
    halves[i + 3] = ONE
  }
  const texture = new DataTexture(halves, width, height, RGBAFormat, HalfFloatType)
  texture.generateMipmaps = true
  tiled(texture)
  return { texture, bytes: Math.ceil((halves.byteLength * 4) / 3), dispose: () => texture.dispose() }
}

const ONE = DataUtils.toHalfFloat(1)
const STEEP = 0.05 // the least cosine of a normal to the surface

/** Slopes to the right and up of a normal in bytes. */
export function slopesOf(red: number, green: number, blue: number): [number, number, number] {
  const z = Math.max(blue / 127.5 - 1, STEEP)
  return [(red / 127.5 - 1) / z, (green / 127.5 - 1) / z, 0]
}

const roughnessOf = (green: number): [number, number, number] => [green / 255, green / 255, green / 255]

/** A picture with its last row first, not larger than textures may be. */
async function upright(blob: Blob): Promise<ImageBitmap> {
  const size = await bitmapOf(blob, {})
  const scale = Math.min(1, LARGEST / Math.max(size.width, size.height))
  const bitmap =
    scale < 1
      ? await bitmapOf(blob, {
          resizeWidth: Math.round(size.width * scale),
          resizeHeight: Math.round(size.height * scale),
          resizeQuality: 'high',
        })
      : size
  if (bitmap !== size) size.close()
  return bitmap
}

/** As the bytes are: no colour profile, no transparency changes them. */
const bitmapOf = (blob: Blob, options: ImageBitmapOptions) =>
  createImageBitmap(blob, {
    imageOrientation: 'flipY',
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
    ...options,
  })

export interface Smooth extends Kept {
  texture: DataTexture
  extent: Vector2
  detail: Float32Array // a sample
}

/** `LAYOUT/ID`. */
export async function loadSmooth(key: string): Promise<Smooth> {
  const frame = await lowBand(key)
  const { texture, bytes } = cells(frame.arrays.texels, frame.shapes.texels)
  return {
    texture,
    bytes,
    extent: new Vector2(...frame.extent),
    detail: frame.arrays.detail.slice(),
    dispose: () => texture.dispose(),
  }
}

export interface Limits extends Kept {
  darkest: DataTexture
  brightest: DataTexture
}

/** By the id of the texture set. */
export async function loadLimits(key: string): Promise<Limits> {
  const { arrays, shapes } = await lowLimits(key)
  const [darkest, brightest] = [cells(arrays.darkest, shapes.darkest), cells(arrays.brightest, shapes.brightest)]
  return {
    darkest: darkest.texture,
    brightest: brightest.texture,
    bytes: darkest.bytes + brightest.bytes,
    dispose: () => {
      darkest.texture.dispose()
      brightest.texture.dispose()
    },
  }
}

export interface Shares extends Kept {
  pages: DataTexture[] // four regions in the channels of each
}

/** By the id of the regions. */
export async function loadShares(key: string): Promise<Shares> {
  const { arrays, shapes } = await detailShares(key)
  const [count, ...size] = shapes.pages
  const words = arrays.pages.length / count
  const made = Array.from({ length: count }, (_, i) => cells(arrays.pages.subarray(i * words, (i + 1) * words), size))
  return {
    pages: made.map(({ texture }) => texture),
    bytes: made.reduce((sum, { bytes }) => sum + bytes, 0),
    dispose: () => made.forEach(({ texture }) => texture.dispose()),
  }
}

function cells(words: Uint32Array, [height, width]: readonly number[]): { texture: DataTexture; bytes: number } {
  const halves = new Uint16Array(words.slice().buffer)
  const texture = new DataTexture(halves, width, height, RGBAFormat, HalfFloatType)
  texture.minFilter = texture.magFilter = LinearFilter
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping
  texture.needsUpdate = true
  return { texture, bytes: halves.byteLength }
}
