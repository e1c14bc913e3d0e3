/** What is done to layers. */
import { layerName, layers, time } from '../../core/document'
import type { LayerInfo } from '../../core/protocol.gen'
import { edit } from '../../core/server'
import { askName } from '../../widgets/NameDialog'

export const choose = (layer: string) => edit({ type: 'ChooseLayer', layer })

/** Go to the layer above or below; the clip itself is below all. */
export function stepLayer(by: number): void {
  const names = ['', ...layers.value.map(({ name }) => name)]
  const next = names[names.indexOf(layerName.value) + by]
  if (next !== undefined) void choose(next)
}

export function add(kind: LayerInfo['kind']): void {
  void edit({ type: 'AddLayer', name: freeName(kind), kind })
}

export function holdOverClip(): void {
  void edit({ type: 'HoldOverClip', name: freeName('held points') })
}

function freeName(stem: string): string {
  const taken = layers.value.map(({ name }) => name)
  let number = 1
  while (taken.includes(`${stem} ${number}`)) number += 1
  return `${stem} ${number}`
}

export async function rename(layer: string): Promise<void> {
  const name = await askName('Rename the layer', layer)
  if (name) void edit({ type: 'RenameLayer', layer, name })
}

/** Move a layer up (1) or down (-1). */
export function move(layer: string, by: number): void {
  const at = layers.value.findIndex(({ name }) => name === layer)
  void edit({ type: 'MoveLayer', layer, to: Math.max(at + by, 0) })
}

export const keyWeight = (layer: string) => edit({ type: 'KeyLayerWeight', layer, time: time.value })

/** Whether the weight of a layer has a key now. */
export const isKeyed = ({ weight_times }: LayerInfo) => weight_times.some((at) => Math.abs(at - time.value) < 1e-6)
