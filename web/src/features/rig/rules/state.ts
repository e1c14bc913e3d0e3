/** The modeller's rules as the server last sent them, and which one is chosen. */
import { computed, signal } from '@preact/signals'
import type { RuleMap } from '../../../core/frames'
import type { AddRule, RuleCheckInfo } from '../../../core/protocol.gen'
import type { RuleInfo } from '../../../core/frames'

/** A rule with its vertices, and how far beyond what it allows each of them goes, in sizes of the face. */
export interface ListedRule extends RuleInfo {
  vertices: Uint32Array
  excess: Float32Array
}

export const rules = signal<ListedRule[]>([])

/** The name of the chosen rule; of a new one while its first points are painted; '': none. */
export const chosenRule = signal('')
export const rule = computed(() => rules.value.find(({ name }) => name === chosenRule.value) ?? null)

/** The worst poses that were found. */
export const check = signal<RuleCheckInfo>({ progress: null, current: false, breaches: null })

/** What the next rule will be. */
export const kind = signal<AddRule['kind']>('within')

export function applyRules({ rules: infos, arrays }: RuleMap): void {
  const { starts, vertices, excess } = arrays
  rules.value = infos.map((info, i) => ({
    ...info,
    vertices: vertices.subarray(starts[i], starts[i + 1]),
    excess: excess.subarray(starts[i], starts[i + 1]),
  }))
}

/** A name that no rule has yet. */
export function freeName(taken: readonly { name: string }[]): string {
  const names = new Set(taken.map(({ name }) => name))
  let number = 1
  while (names.has(`rule ${number}`)) number += 1
  return `rule ${number}`
}

/** A share of the face's size. */
export const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`
