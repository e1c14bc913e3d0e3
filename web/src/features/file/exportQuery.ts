/** What is asked for in the export dialog, as the query of an address; `ExportOptions` of the library reads it. */

export type FilmKind = 'mp4' | 'gif' | 'zip'
export type ExportKind = 'glb' | 'vrm' | 'fbx' | 'usdz' | 'usda' | 'npz' | 'fwface' | FilmKind

export const isFilm = (kind: ExportKind): kind is FilmKind => ['mp4', 'gif', 'zip'].includes(kind)

export interface ExportWish {
  kind: ExportKind
  unit: string // '': the document's own, else by the face's size
  scale: number
  names: string // a naming convention; '': as they are
  plain: boolean // in-betweens and combinations as targets of their own
  drops: boolean // plain targets that are hardly seen are left out
  percent: number // of the face's size, below which they are
  left: string[] // names of clips that are left out
  ranged: boolean
  start: number // seconds
  end: number
  rate: number // frames a second; 0: the clips' own
  keys: 'kept' | 'straight' | 'sampled'
  textures: 'all' | 'shown' | 'none'
  avatar: Readonly<Record<string, string>> // what a .vrm file states, by the names of VRM 1.0; '' is left as it is
  layers: 'kept' | 'baked' // of a .fwface file; others have none
  clip: string // of a film
  width: number // of a film, in pixels
  height: number
  view: string
  plane: boolean // whether a film shows the picture or video of reference
}

export function plainWish(kind: ExportKind, plain: boolean): ExportWish {
  return {
    kind,
    plain,
    unit: '',
    scale: 1,
    names: '',
    drops: false,
    percent: 0.1,
    left: [],
    ranged: false,
    start: 0,
    end: 1,
    rate: 0,
    keys: 'kept',
    textures: 'all',
    avatar: {},
    layers: 'kept',
    clip: '',
    width: 1280,
    height: 720,
    view: 'front',
    plane: true,
  }
}

/** The query with what differs from the defaults; `clips` are the names of all. */
export function exportQuery(wish: ExportWish, clips: string[]): string {
  const query = new URLSearchParams()
  if (wish.unit) query.set('unit', wish.unit)
  if (wish.scale !== 1) query.set('scale', String(wish.scale))
  if (wish.names) query.set('names', wish.names)
  if (wish.plain) query.set('plain', 'yes')
  if (wish.plain && wish.drops) query.set('tolerance', String(wish.percent / 100))
  if (wish.left.length) query.set('clips', clips.filter((name) => !wish.left.includes(name)).join('\n'))
  if (wish.ranged) query.set('start', String(wish.start))
  if (wish.ranged) query.set('end', String(wish.end))
  if (wish.rate) query.set('rate', String(wish.rate))
  if (wish.keys !== 'kept') query.set('keys', wish.keys)
  if (wish.textures !== 'all') query.set('textures', wish.textures)
  if (wish.layers !== 'kept' && wish.kind === 'fwface') query.set('layers', wish.layers)
  const stated = Object.entries(wish.avatar).flatMap(([name, text]) => (text.trim() ? [`${name}=${text.trim()}`] : []))
  if (stated.length && wish.kind === 'vrm') query.set('avatar', stated.join('\n'))
  const text = query.toString()
  return text && `?${text}`
}
