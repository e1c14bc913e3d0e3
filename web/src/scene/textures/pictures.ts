/** Pictures and smooth parts as textures on the graphics card. */
import {
  ClampToEdgeWrapping,
  DataTexture,
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

/** `color:ID` or `mask:ID`: light, or plain numbers. */
export async function loadPicture(key: string): Promise<Picture> {
  const [kind, id] = key.split(':')
  const blob = await picture(id)
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
  const texture = new Texture(bitmap)
  texture.flipY = false // the bitmap is already
  texture.colorSpace = kind === 'color' ? SRGBColorSpace : NoColorSpace
  texture.wrapS = texture.wrapT = RepeatWrapping
  texture.minFilter = LinearMipmapLinearFilter
  texture.magFilter = LinearFilter
  texture.anisotropy = anisotropy()
  texture.needsUpdate = true
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
