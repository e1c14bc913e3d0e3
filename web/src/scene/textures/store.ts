/** Things on the graphics card that are fetched when they are needed and let go when others need the room. */
export interface Kept {
  bytes: number
  dispose(): void
}

interface Entry<T> {
  item: T | null // null: under way
  used: number // the last round that wanted it
}

export class Store<T extends Kept> {
  private readonly entries = new Map<string, Entry<T>>()
  private round = 0

  /** `arrived` is called when something has come; `failed` with what went wrong. */
  constructor(
    private readonly budget: number, // bytes
    private readonly load: (key: string) => Promise<T>,
    private readonly arrived: () => void,
    private readonly failed: (problem: unknown) => void,
  ) {}

  /** A new frame begins: what is not wanted from now on may go. */
  begin(): void {
    this.round += 1
  }

  /** The thing, if it is there; else it is fetched. */
  get(key: string): T | null {
    const known = this.entries.get(key)
    if (known) {
      known.used = this.round
      return known.item
    }
    const entry: Entry<T> = { item: null, used: this.round }
    this.entries.set(key, entry)
    this.load(key).then(
      (item) => {
        if (this.entries.get(key) !== entry) return item.dispose()
        entry.item = item
        this.shrink()
        this.arrived()
      },
      (problem: unknown) => this.entries.get(key) === entry && this.failed(problem),
    )
    return null
  }

  get bytes(): number {
    return [...this.entries.values()].reduce((sum, { item }) => sum + (item?.bytes ?? 0), 0)
  }

  get count(): number {
    return [...this.entries.values()].filter(({ item }) => item).length
  }

  clear(): void {
    for (const { item } of this.entries.values()) item?.dispose()
    this.entries.clear()
  }

  /** Let the longest unused go, but nothing that the current frame wants. */
  private shrink(): void {
    const free = [...this.entries]
      .filter(([, { item, used }]) => item && used < this.round)
      .sort((a, b) => a[1].used - b[1].used)
    for (const [key, { item }] of free) {
      if (this.bytes <= this.budget) return
      item!.dispose()
      this.entries.delete(key)
    }
  }
}
