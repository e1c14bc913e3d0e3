/** Everything that the page sends passes through `send` and `edit` of a Sender. Gestures give intents, which end there. */
import type { Link, Message } from './link'
import type { Begin, Commit, Discard, PageMessage } from './protocol.gen'

type OfGesture = Exclude<Extract<PageMessage, { gesture?: number }>, Begin | Commit | Discard>

/** A change of the document, without the number of its gesture. */
export type Edit = {
  [T in OfGesture['type']]: Omit<Extract<OfGesture, { type: T }>, 'seq' | 'gesture'>
}[OfGesture['type']]

/** A change of the plan of a build. */
export type Decision = Extract<
  Message,
  {
    type:
      | 'ChooseTemplate'
      | 'RemoveNeutral'
      | 'RemovePoses'
      | 'GuessPose'
      | 'FitPose'
      | 'AddMissing'
      | 'TrustExamples'
      | 'PairPoints'
      | 'ChooseMesh'
      | 'SolveAlong'
      | 'ClearBuild'
  }
>

/** The message that carries an edit; 0: it belongs to no gesture. */
const carryingEdit = (edit: Edit, gesture: number): Message => (gesture ? { ...edit, gesture } : edit) as Message

/** The message that carries a decision. */
const carryingDecision = (decision: Decision): Message => decision

export type Intent =
  | { type: 'GestureBegan'; label: string }
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

  /** Change the document. Gives whether it was carried out; a refusal is shown to the user. */
  edit(edit: Edit, gesture = 0): Promise<boolean> {
    return this.send(carryingEdit(edit, gesture))
  }

  /** Change the plan of a build. */
  decide(decision: Decision): Promise<boolean> {
    return this.send(carryingDecision(decision))
  }

  /** Send a message whose refusal the caller handles. */
  ask(message: Message): Promise<void> {
    return this.link.ask(message)
  }

  readonly intend: Intend = (intent) => {
    switch (intent.type) {
      case 'GestureBegan':
        return this.begin(intent.label)
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
        return this.link.stream({ type: 'Scrub', time: intent.time })
    }
  }

  /** Forget the open gesture: the connection broke, and the server has discarded it. Gives whether there was one. */
  lost(): boolean {
    const open = this.gesture !== 0
    this.gesture = 0
    return open
  }

  private begin(label: string): void {
    this.gesture = this.last += 1
    void this.send({ type: 'Begin', gesture: this.gesture, label: label.slice(0, 200) })
  }

  private end(type: 'Commit' | 'Discard'): void {
    if (!this.gesture) return
    const gesture = this.gesture
    this.gesture = 0
    void this.send({ type, gesture })
  }
}
