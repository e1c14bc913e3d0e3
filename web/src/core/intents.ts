/** Everything that the page sends passes through `send` and `edit` of a Sender. Gestures give intents, which end there. */
import type { Link, Message } from './link'
import type { AnyAction, AnyEdit, AnyQuery, Begin } from './protocol.gen'

/** A change of the document or of the plan of a build. */
export type Edit = AnyEdit

/** The message that carries an edit; 0: it belongs to no gesture. */
export const carryingEdit = (edit: Edit, gesture: number): Message =>
  gesture ? { type: 'Edit', edit, gesture } : { type: 'Edit', edit }

export type Intent =
  | { type: 'GestureBegan'; label: string; session?: Begin['session'] } // of the document, where nothing is said
  | { type: 'GestureUpdated'; edit: Edit }
  | { type: 'GestureEnded' }
  | { type: 'GestureCancelled' }
  | { type: 'Edited'; edit: Edit }
  | { type: 'Scrubbed'; time: number }

export type Intend = (intent: Intent) => void

/** Puts messages on the link and numbers gestures. `refused` gets what could not be done. */
export class Sender {
  private gesture = 0
  private last = 0

  constructor(
    private readonly link: Pick<Link, 'ask' | 'stream' | 'dropUpdate'>,
    private readonly refused: (problem: Error) => void,
  ) {}

  /** Send a message that is no edit. Gives whether it was carried out; a refusal is shown to the user. */
  send(message: Message): Promise<boolean> {
    return this.link.ask(message).then(
      () => true,
      (problem: Error) => {
        this.refused(problem)
        return false
      },
    )
  }

  /** Change the document or the plan of a build. Gives whether it was carried out; a refusal is shown to the user. */
  edit(edit: Edit, gesture = 0): Promise<boolean> {
    return this.send(carryingEdit(edit, gesture))
  }

  /** Start or stop something, or keep a setting. */
  act(action: AnyAction): Promise<boolean> {
    return this.send({ type: 'Act', action })
  }

  /** Ask for a frame; the caller handles a refusal. */
  query(query: AnyQuery): Promise<void> {
    return this.link.ask({ type: 'Ask', query })
  }

  /** Send a message whose refusal the caller handles. */
  ask(message: Message): Promise<void> {
    return this.link.ask(message)
  }

  readonly intend: Intend = (intent) => {
    switch (intent.type) {
      case 'GestureBegan':
        return this.begin(intent.label, intent.session)
      case 'GestureUpdated':
        if (this.gesture) this.link.stream(carryingEdit(intent.edit, this.gesture))
        return
      case 'GestureEnded':
        return this.end('Commit')
      case 'GestureCancelled':
        this.link.dropUpdate()
        return this.end('Discard')
      case 'Edited':
        void this.edit(intent.edit)
        return
      case 'Scrubbed':
        return this.link.stream(carryingEdit({ type: 'Scrub', time: intent.time }, 0))
    }
  }

  /** Forget the open gesture: the connection broke, and the server has discarded it. Gives whether there was one. */
  lost(): boolean {
    const open = this.gesture !== 0
    this.gesture = 0
    return open
  }

  private begin(label: string, session?: Begin['session']): void {
    const gesture = (this.gesture = this.last += 1)
    const begin = { type: 'Begin', gesture, label: label.slice(0, 200) } as const
    void this.send(session ? { ...begin, session } : begin).then((begun) => {
      if (!begun && this.gesture === gesture) this.gesture = 0 // the rest of it would be refused, too
    })
  }

  private end(type: 'Commit' | 'Discard'): void {
    if (!this.gesture) return
    const gesture = this.gesture
    this.gesture = 0
    void this.send({ type, gesture })
  }
}
