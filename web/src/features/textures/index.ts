/** Textures that come in with expressions. */
import { effect } from '@preact/signals'
import { textures as current } from '../../core/document'
import type { SurfaceKind } from '../../scene/textures/surfaceMaps'
import { viewport } from '../../scene/current'
import type { Mixing } from '../../scene/textures/textureSet'
import type { Feature } from '../feature'
import { placePictures, TAB } from './actions'
import { PictureDialog } from './PictureDialog'
import { SplitHandle } from './SplitHandle'
import { detailBy, mixing, offered, splitAt } from './state'
import './textures.css'
import { TexturesTab } from './TexturesTab'

function base64(pixels: Uint8Array): string {
  let text = ''
  for (let i = 0; i < pixels.length; i += 0x8000) text += String.fromCharCode(...pixels.subarray(i, i + 0x8000))
  return btoa(text)
}

function showTextures(): void {
  effect(() => viewport.value?.showTextures(current.value))
  effect(() => viewport.value?.mix(mixing.value, splitAt.value, detailBy.value))
}

export const textures: Feature = {
  name: 'textures',
  tab: { key: TAB, label: 'Textures', tip: 'Textures that come in with expressions' },
  sections: [{ tab: TAB, Body: TexturesTab }],
  layers: [SplitHandle],
  dialogs: [{ isOpen: () => offered.value.length > 0, Body: PictureDialog }],
  files: { claims: (kind) => kind === 'picture', open: placePictures },
  remembered: { mixing, splitAt, detailBy },
  watched: {
    get textures() {
      return current.value && { ...current.value }
    },
    get mix() {
      return viewport.value!.textures.figures
    },
    /** The texture as it is shown, flat: bytes (h, w, 4) in base 64. */
    texture(mixing: Mixing, width: number, height: number) {
      return base64(viewport.value!.flat(mixing, width, height))
    },
    /** The same of normals or roughness; '' until all that they are mixed of is there. */
    surface(kind: SurfaceKind, width: number, height: number) {
      const pixels = viewport.value!.flatSurface(kind, width, height)
      return viewport.value!.surfaces.sets[kind].complete ? base64(pixels) : ''
    },
  },
  start: showTextures,
}
