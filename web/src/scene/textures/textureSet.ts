/** The textures of expressions in a pose: which take part, how much of each, and whose detail is shown. */
import { DataTexture, type Texture, type WebGLRenderer } from 'three'
import type { TexturesInfo } from '../../core/protocol.gen'
import { after, choiceBy, detailAt, isFading, NEUTRAL, shown, type Detail, type DetailBy } from './detail'
import { Mix, type MapKind, type RegionalTerm, type Term } from './mix'
import {
  loadLimits,
  loadPicture,
  loadShares,
  loadSmooth,
  type Limits,
  type Picture,
  type Shares,
  type Smooth,
} from './pictures'
import { ALL_PLAIN, textureUniforms } from './shader'
import { Store } from './store'
import { mapWeights, plainShares, smoothShares, weightsWithin } from './weights'

export type Mixing = 'bands' | 'plain' | 'split'

const MB = 2 ** 20
const PICTURES = 640 * MB // 28 of 2048 x 2048 with their smaller copies
const SMOOTH = 160 * MB
const SHARES = 40 * MB
const MOST_PLAIN = 16 // textures of a plain mix: the heaviest

export class TextureSet {
  readonly uniforms = textureUniforms()
  complete = false // all that the pose needs has come
  readonly pictures: Store<Picture>
  readonly smooth: Store<Smooth>
  private readonly limits: Store<Limits>
  private readonly shares: Store<Shares>
  private readonly mix = new Mix()
  private readonly black = blackTexture()
  private readonly products = new Map<string, number>()
  private info: TexturesInfo | null = null
  private weights: number[] = []
  private within: number[][] | null = null // of each region, where they differ
  private details: Detail[] = [NEUTRAL] // of each region; one where the face is not divided
  private isNew = true // no pose was shown before: nothing fades
  private drawnAt = 0
  private mixing: Mixing = 'bands'
  private by: DetailBy = 'dominant'
  private splitAt = 0.5
  private made = '' // what the sums were made of
  private plainMade = ''
  private whole: Texture | null = null
  private wholeMade = ''

  constructor(
    ask: () => void,
    failed: (problem: unknown) => void,
    private readonly kind: MapKind = 'color',
  ) {
    this.pictures = new Store(PICTURES, loadPicture, ask, failed)
    this.smooth = new Store(SMOOTH, loadSmooth, ask, failed)
    this.limits = new Store(SMOOTH, loadLimits, ask, failed)
    this.shares = new Store(SHARES, loadShares, ask, failed)
  }

  /** Show these textures from now on; null: none. */
  use(info: TexturesInfo | null): void {
    if (info?.layout !== this.info?.layout) {
      this.isNew = true
      this.products.clear()
    }
    if (info?.maps.length !== this.info?.maps.length || info?.regions?.id !== this.info?.regions?.id) this.isNew = true
    this.info = info
    this.made = ''
    if (info) return
    for (const store of this.stores) store.clear()
    this.mix.dropSharp()
    this.mix.dropValues()
    this.whole = null
    this.dropPlain()
  }

  /** values: of so many shapes of the whole face, then of each of its regions. */
  pose(values: Float32Array, shapes: number): void {
    const { info } = this
    this.weights = info ? mapWeights(info.maps, values) : []
    this.within = info?.regions ? weightsWithin(info.maps, values, shapes, info.regions.means) : null
  }

  set(mixing: Mixing, splitAt: number, by: DetailBy): void {
    if (by !== this.by) this.isNew = true
    ;[this.mixing, this.splitAt, this.by] = [mixing, splitAt, by]
  }

  /** Figures for tests and measurements. */
  get figures() {
    return {
      weights: [...this.weights],
      detail: { ...(this.details.find(isFading) ?? this.details[0]) },
      details: this.details.map((detail) => detail.map),
      bytes: this.pictures.bytes + this.smooth.bytes + this.mix.bytes,
      pictures: this.pictures.count,
      complete: this.complete,
    }
  }

  /** Update everything before a frame is drawn. `ready`: there is something to show; `moving`: a fade goes on. */
  prepare(renderer: WebGLRenderer, width: number, now: number): { ready: boolean; moving: boolean } {
    const info = this.info
    this.complete = !info
    if (!info) return { ready: false, moving: false }
    this.step(now)
    for (const store of this.stores) store.begin()
    const neutral = this.pictures.get(`${this.kind}:${info.neutral.id}`)
    const mask = info.mask ? this.pictures.get(`mask:${info.mask.id}`) : null
    const { uniforms } = this
    uniforms.textureMasked.value = mask !== null
    uniforms.textureMask.value = mask?.texture ?? neutral?.texture ?? null
    uniforms.textureNeutral.value = neutral?.texture ?? null
    const whole = this.mixing !== 'plain' ? this.inBands(renderer, info, neutral) : true
    const flat = this.mixing !== 'bands' ? this.plainly(renderer, info, neutral) : true
    if (this.mixing === 'bands') this.dropPlain()
    uniforms.textureSplit.value =
      this.mixing === 'bands' ? 0 : this.mixing === 'plain' ? ALL_PLAIN : Math.max(this.splitAt * width, 1e-3)
    this.complete = neutral !== null && whole && flat && (!info.mask || mask !== null)
    return { ready: neutral !== null, moving: this.details.some(isFading) }
  }

  /** The texture as it is shown (h, w, 4), for tests. */
  flat(renderer: WebGLRenderer, mixing: Mixing, width: number, height: number): Uint8Array {
    const before = this.mixing
    this.mixing = mixing
    this.made = ''
    this.prepare(renderer, width, performance.now())
    const pixels = this.mix.flat(renderer, this.uniforms, width, height, this.kind)
    this.mixing = before
    return pixels
  }

  /** The mix as numbers in one texture, of the neutral's size; the same until it changes. */
  values(renderer: WebGLRenderer): Texture | null {
    const neutral = this.uniforms.textureNeutral.value
    if (!neutral) return null
    const recipe = `${this.complete} ${this.made} ${this.uniforms.textureMasked.value}`
    if (this.whole === null || recipe !== this.wholeMade) {
      const { width, height } = neutral.image as { width: number; height: number }
      this.whole = this.mix.values(renderer, this.uniforms, width, height)
      this.wholeMade = recipe
    }
    return this.whole
  }

  private get stores() {
    return [this.pictures, this.smooth, this.limits, this.shares]
  }

  private step(now: number): void {
    const choice = choiceBy(this.by)
    const seconds = Math.max(now - this.drawnAt, 0) / 1000
    const relevance: readonly (readonly number[] | undefined)[] = this.info?.regions?.relevance ?? [undefined]
    this.details = relevance.map((row, region) =>
      this.isNew
        ? detailAt(this.within?.[region] ?? this.weights, choice, row)
        : after(this.details[region], seconds, this.within?.[region] ?? this.weights, choice, row),
    )
    this.isNew = false
    this.drawnAt = now
  }

  /** Two bands; until all of it has come, the face as it is at rest. */
  private inBands(renderer: WebGLRenderer, info: TexturesInfo, neutral: Picture | null): boolean {
    const { uniforms } = this
    const rows = this.within ?? [this.weights]
    const everywhere = rows.map(smoothShares)
    const active = everywhere[0]
      .map((_, i) => [i, everywhere.map((row) => row[i])] as const)
      .filter(([i, shares]) => i === 0 || shares.some((share) => share !== 0))
    const over = rows.some((row) => row.reduce((sum, weight) => sum + weight, 0) > 1)
    const limits = over ? this.limits.get(info.id) : null
    const lows = active.map(([i, shares]) => [this.low(info, i), shares] as const)
    const parts = this.shownParts(info)
    const isDivided = [...parts, ...active.map(([, shares]) => ({ shares }))].some(({ shares }) =>
      shares.some((share) => share !== shares[0]),
    )
    const regions = isDivided ? this.shares.get(info.regions!.id) : null
    const known =
      lows.every(([low]) => low) &&
      parts.every(({ low, picture }) => low && picture) &&
      (!over || limits !== null) &&
      (!isDivided || regions !== null)
    if (!known || !neutral) {
      if (this.made === '') this.show(neutral?.texture ?? null, 1, neutral?.texture ?? null, 0, null)
      return false
    }
    const recipe = JSON.stringify([info.id, active, parts.map(({ index, shares }) => [index, shares])])
    const all = this.details.map(() => 0) // regions
    const terms = lows.map(([low, shares]): RegionalTerm => [low!.texture, all.map((_, i) => shares[i] ?? shares[0])])
    if (regions) {
      if (recipe !== this.made) {
        const { extent } = lows[0][0]!
        const of = (texture: 'low' | 'picture') =>
          parts.map((part): RegionalTerm => [part[texture]!.texture, part.shares])
        const change = this.mix.smoothInRegions(renderer, terms, of('low'), limits, regions.pages)
        const sharp = this.mix.sharpInRegions(renderer, of('picture'), regions.pages, extent)
        uniforms.textureExtent.value.copy(extent)
        this.show(sharp, 1, sharp, 0, change)
        this.made = recipe
      }
      return true
    }
    if (recipe !== this.made) {
      this.mix.dropSharp()
      const change = this.mix.smooth(
        renderer,
        terms.map(([texture, shares]): Term => [texture, shares[0]]),
        parts.map(({ low, shares }): Term => [low!.texture, shares[0]]),
        limits,
      )
      this.made = recipe
      uniforms.textureExtent.value.copy(lows[0][0]!.extent)
      this.show(null, 0, null, 0, change)
    }
    const [first, second] = parts
    this.show(
      first.picture!.texture,
      first.shares[0],
      (second ?? first).picture!.texture,
      second?.shares[0] ?? 0,
      uniforms.textureChange.value,
    )
    return true
  }

  /** The textures whose details are shown, each with its share in every region. */
  private shownParts(info: TexturesInfo) {
    const found = new Map<number, number[]>()
    this.details.forEach((detail, region) => {
      for (const [index, share] of shown(detail, (a, b) => this.alike(info, a, b))) {
        if (!found.has(index))
          found.set(
            index,
            this.details.map(() => 0),
          )
        found.get(index)![region] = share
      }
    })
    return [...found].map(([index, shares]) => ({
      index,
      shares,
      low: this.low(info, index),
      picture: this.picture(info, index),
    }))
  }

  private show(
    first: Texture | null,
    share: number,
    second: Texture | null,
    other: number,
    change: Texture | null,
  ): void {
    const { uniforms } = this
    uniforms.textureNew.value = first
    uniforms.textureFormer.value = second
    uniforms.textureShares.value.set(share, other)
    uniforms.textureChange.value = change ?? this.black
  }

  private plainly(renderer: WebGLRenderer, info: TexturesInfo, neutral: Picture | null): boolean {
    const heaviest = plainShares(this.weights)
      .map((share, i) => [i, share] as const)
      .filter(([i, share]) => share > 0 || i === 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_PLAIN + 1)
      .sort((a, b) => a[0] - b[0])
    const pictures = heaviest.map(([i, share]) => [this.picture(info, i), share] as const)
    if (!neutral || pictures.some(([picture]) => !picture)) {
      this.uniforms.texturePlain.value ??= neutral?.texture ?? null
      return false
    }
    const recipe = JSON.stringify([info.id, heaviest])
    if (recipe !== this.plainMade || !this.uniforms.texturePlain.value) {
      this.uniforms.texturePlain.value = this.mix.plainly(
        renderer,
        pictures.map(([picture, share]): Term => [picture!.texture, share]),
      )
      this.plainMade = recipe
    }
    return true
  }

  private dropPlain(): void {
    if (this.plainMade) this.mix.dropPlain()
    this.uniforms.texturePlain.value = null
    this.plainMade = ''
  }

  private picture(info: TexturesInfo, index: number): Picture | null {
    return this.pictures.get(`${this.kind}:${this.id(info, index)}`)
  }

  private low(info: TexturesInfo, index: number): Smooth | null {
    return this.smooth.get(`${info.layout}/${this.id(info, index)}`)
  }

  private id(info: TexturesInfo, index: number): string {
    return (index === 0 ? info.neutral : (info.maps[index - 1]?.picture ?? info.neutral)).id
  }

  private alike(info: TexturesInfo, a: number, b: number): number {
    const key = [this.id(info, a), this.id(info, b)].sort().join(' ')
    const known = this.products.get(key)
    if (known !== undefined) return known
    const [one, other] = [this.low(info, a)?.detail, this.low(info, b)?.detail]
    if (!one || !other) return 1
    let sum = 0
    for (let i = 0; i < one.length; i++) sum += one[i] * other[i]
    this.products.set(key, sum)
    return sum
  }
}

function blackTexture(): DataTexture {
  const made = new DataTexture(new Uint8Array(4), 1, 1)
  made.needsUpdate = true
  return made
}
