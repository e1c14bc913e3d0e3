/** Sliders are dragged sideways; with shift ten times finer. Selected sliders go together, each from where it is. */
import type { Edit, Intend } from '../intents'

export interface Range {
  name: string
  low: number
  high: number
}

/** A slider that is dragged, or goes along, and where it was. */
export interface Member extends Range {
  value: number
  partner: Range | null // has the same value where pairs are linked
}

interface Asked {
  /** The slider under the pointer first, then those that go along. */
  members(): readonly Member[]
  change(values: Record<string, number>): Edit
  region?(): string // that they are sliders of, for the label
  send: Intend
}

const FINE = 0.1
const CLICK = 2 // pixels

const clamped = (value: number, { low, high }: Range) => Math.min(Math.max(value, low), high)

/** Wishes for a slider and the partner that is linked to it. */
export function wishes(value: number, range: Range, partner: Range | null): Record<string, number> {
  const weights = { [range.name]: clamped(value, range) }
  if (partner) weights[partner.name] = clamped(value, partner)
  return weights
}

/** Sliders moved from where they were by a share of the range of each, within their bounds. */
export function moved(members: readonly Member[], share: number): Record<string, number> {
  const at = (one: Member) => one.value + share * (one.high - one.low)
  const partners = members.map((one) => wishes(at(one), one, one.partner))
  const own = members.map((one) => wishes(at(one), one, null)) // a partner that is selected itself goes its own way
  return Object.assign({}, ...partners, ...own)
}

/** A share by which some slider can still move, so that all come back at once from beyond their bounds. */
export function reachable(members: readonly Member[], share: number): number {
  const shares = members.flatMap(({ value, low, high }) =>
    high > low ? [[(low - value) / (high - low), (high - value) / (high - low)]] : [],
  )
  const least = Math.min(0, ...shares.map(([down]) => down))
  const most = Math.max(0, ...shares.map(([, up]) => up))
  return Math.min(Math.max(share, least), most)
}

export function dragSlider({ members, change, region, send }: Asked) {
  let at: { x: number; width: number; members: readonly Member[]; share: number; moved: boolean } | null = null

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (at?.moved) send({ type })
    at = null
  }

  return {
    down(x: number, width: number): void {
      at = { x, width, members: members(), share: 0, moved: false }
    },
    move(x: number, fine: boolean): void {
      if (!at || (!at.moved && Math.abs(x - at.x) < CLICK)) return
      if (!at.moved) send({ type: 'GestureBegan', label: labelOf(at.members, region?.() ?? '') })
      const share = reachable(at.members, at.share + ((x - at.x) / at.width) * (fine ? FINE : 1))
      at = { ...at, x, share, moved: true }
      send({ type: 'GestureUpdated', edit: change(moved(at.members, share)) })
    },
    /** Whether it was a drag, not a click. */
    up(): boolean {
      const moved = at?.moved ?? false
      end('GestureEnded')
      return moved
    },
    /** Whether there was anything to cancel. */
    cancel(): boolean {
      const moved = at?.moved ?? false
      end('GestureCancelled')
      return moved
    },
  }
}

const labelOf = (members: readonly Member[], region: string) =>
  `Move ${members.length === 1 ? members[0].name : `${members.length} sliders`}${region ? ` in ${region}` : ''}`
