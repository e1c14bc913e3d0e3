/** What a file says of a material, on top of the palette. */
import { SRGBColorSpace, TextureLoader, type ShaderMaterial, type Vector3 } from 'three'
import type { MaterialInfo } from '../core/frames'
import { textureAddress } from '../core/routes'

interface Where {
  rig: string
  named: boolean // the part's name says what it is made of
  loaded: () => void
  address?: (image: number) => string // of an image; by default one of the face
}

export function applyFileMaterial(
  material: ShaderMaterial,
  info: MaterialInfo,
  { rig, named, loaded, address }: Where,
): void {
  const { uniforms } = material
  const shown = info.image !== null // the server converts kinds that browsers cannot read, and gives null for others
  if (shown) {
    new TextureLoader().load((address ?? ((image) => textureAddress(rig, image)))(info.image!), (map) => {
      map.colorSpace = SRGBColorSpace
      uniforms.map.value = map
      uniforms.textured.value = true
      setColor(material, info)
      loaded()
    })
  } else if (info.image === null && !named && !isWhite(info.color)) setColor(material, info)
  if (shown && info.alpha === 'MASK') uniforms.cutoff.value = info.cutoff
  if (info.alpha === 'BLEND') {
    uniforms.cutoff.value = 0
    uniforms.opacity.value = info.color[3]
    material.transparent = true
    material.depthWrite = false
  }
}

const isWhite = (color: readonly number[]) => color.slice(0, 3).every((c) => c > 0.99)

function setColor({ uniforms }: ShaderMaterial, { color }: MaterialInfo): void {
  ;(uniforms.color.value as Vector3).set(color[0], color[1], color[2])
}
