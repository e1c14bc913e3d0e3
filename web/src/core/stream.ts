/** A stream of messages of which only the newest counts: at most one is under way, at most one waits. */
export class Stream<T> {
  private underWay = 0
  private waiting: T | null = null

  /** `send` gives the number under which the answer will come. */
  constructor(private readonly send: (message: T) => number) {}

  get busy(): boolean {
    return this.underWay !== 0
  }

  offer(message: T): void {
    if (this.busy) this.waiting = message
    else this.underWay = this.send(message)
  }

  /** An answer to this number answers all before it. */
  answered(seq: number): void {
    if (!this.busy || seq < this.underWay) return
    this.underWay = 0
    const next = this.waiting
    this.waiting = null
    if (next !== null) this.offer(next)
  }

  /** Send what waits without waiting for the answer: something is to follow that depends on it. */
  flush(): void {
    if (this.waiting !== null) this.underWay = this.send(this.waiting)
    this.waiting = null
  }

  /** Forget what waits. */
  drop(): void {
    this.waiting = null
  }

  reset(): void {
    this.waiting = null
    this.underWay = 0
  }
}

/** Says which answers are too old to be shown. */
export class Newest {
  private shown = 0

  /** Whether to show what answers `seq` (0: answers nobody in particular). */
  admits(seq: number): boolean {
    if (seq !== 0 && seq < this.shown) return false
    this.shown = Math.max(this.shown, seq)
    return true
  }

  reset(): void {
    this.shown = 0
  }
}
