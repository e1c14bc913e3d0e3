/** What moves along with a pin that is dragged. */
import type { Edit } from '../../core/intents'
import type { AnyAction, DragOptions } from '../../core/protocol.gen'

/** Methods that the document keeps, in words. */
export const STYLES = [
  [
    'automatic',
    'Automatic',
    'Only what is touched where few sliders do it, a natural face where it takes many: there is no jump',
  ],
  ['bounded', 'Only what I touch', 'Few sliders move, those that move the point: the rest of the face stays as it is'],
  [
    'natural',
    'A natural face',
    'The face goes where people’s faces are likely to go with the point, the other side too',
  ],
] as const
type Style = (typeof STYLES)[number][0]

interface Send {
  act(action: AnyAction): unknown
  edit(edit: Edit): unknown
}

export const methodName = (method: string) => method.replace(/\(.*/, '')

/** The style that drags have; '' where a published method counts instead of the document's. */
export function styleOf(method: string, kept: string): string {
  if (method === 'bounded') return kept
  return STYLES.some(([style]) => style === method) ? method : ''
}

/** What the list of methods has: bounded, which leaves it to the style, and the published ones. */
export const published = (methods: string[]) =>
  ['bounded', ...methods.filter((each) => !styleOf(each, ''))].filter(unique)

const unique = (each: string, at: number, all: string[]) => all.indexOf(each) === at

/** Let drags have a style from now on, and no published method. */
export function chooseStyle(style: Style, { method, damped }: DragOptions, { act, edit }: Send): void {
  if (method !== 'bounded') act({ type: 'SetDragOptions', method: 'bounded', damped })
  edit({ type: 'SetDragMethod', method: style })
}
