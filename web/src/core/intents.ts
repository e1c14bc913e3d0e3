/** What a person wants, as gestures say it; here it becomes messages. */
import type { Link, Wish } from './link'
import type { Begin, Commit, Discard, PageMessage } from './protocol.gen'

type OfGesture = Extract<PageMessage, { gesture?: number }>
/** A change of the document, without the number of its gesture. */
export type Edit = {
  [T in OfGesture['type']]: Omit<Extract<OfGesture, { type: T }>, 'seq' | 'gesture'>
}[Exclude<OfGesture, Begin | Commit | Discard>['type']]

export type Intent =
  | { type: 'GestureBegan'; label: string }
  | { type: 'GestureUpdated'; edit: Edit }
  | { type: 'GestureEnded' }
  | { type: 'GestureCancelled' }
  | { type: 'Edited'; edit: Edit }
  | { type: 'Scrubbed'; time: number }

export type Send = (intent: Intent) => void

/** Numbers gestures and puts them on the link. `refused` is told what could not be done. */
export class Intents {
  private gesture = 0
  private last = 0

  constructor(
    private readonly link: Pick<Link, 'ask' | 'send' | 'stream' | 'dropUpdate'>,
    private readonly refused: (problem: Error) => void,
  ) {}

  readonly send: Send = (intent) => {
    switch (intent.type) {
      case 'GestureBegan':
        return this.begin(intent.label)
      case 'GestureUpdated':
        if (this.gesture) this.link.stream({ ...intent.edit, gesture: this.gesture } as Wish)
        return
      case 'GestureEnded':
        return this.end('Commit')
      case 'GestureCancelled':
        this.link.dropUpdate()
        return this.end('Discard')
      case 'Edited':
        return this.tell(intent.edit as Wish)
      case 'Scrubbed':
        return this.link.stream({ type: 'Scrub', time: intent.time })
    }
  }

  /** The connection broke: the server has discarded the gesture. Whether there was one. */
  lost(): boolean {
    const open = this.gesture !== 0
    this.gesture = 0
    return open
  }

  tell(wish: Wish): void {
    this.link.ask(wish).catch(this.refused)
  }

  private begin(label: string): void {
    this.gesture = this.last += 1
    this.tell({ type: 'Begin', gesture: this.gesture, label: label.slice(0, 200) })
  }

  private end(type: 'Commit' | 'Discard'): void {
    if (!this.gesture) return
    const gesture = this.gesture
    this.gesture = 0
    this.tell({ type, gesture })
  }
}
