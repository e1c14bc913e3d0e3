/** The page's one connection to the server. `connect` makes it; panels and actions send through the functions here. */
import { Sender, type Edit, type Intent } from './intents'
import { keyed } from './key'
import { Link, type Message } from './link'
import type { Frame, FrameOf } from './frames'
import type { AnyAction, AnyQuery, ServerMessage } from './protocol.gen'
import { before, dragging } from './pose'
import { busy, complain, connected, say } from './toasts'

/** What a part of the page does with messages and frames, and when the connection breaks. */
export interface Receiver {
  messages?: { [T in ServerMessage['type']]?: (message: Extract<ServerMessage, { type: T }>) => void }
  frames?: { [T in Frame['type']]?: (frame: FrameOf<T>) => void }
  disconnected?(): void
}

let sender: Sender | null = null

function current(): Sender {
  if (!sender) throw new Error('the page is not connected yet')
  return sender
}

export const send = (message: Message) => current().send(message)
export const edit = (edit: Edit, gesture?: number) => current().edit(edit, gesture)
export const act = (action: AnyAction) => current().act(action)
export const query = (query: AnyQuery) => current().query(query)
export const ask = (message: Message) => current().ask(message)
export const intend = (intent: Intent) => current().intend(intent)

export function connect(address: string, receivers: readonly Receiver[]): void {
  const link = new Link(address, {
    connected: (open) => (open ? onOpen() : onBreak(receivers)),
    message: (message) => receivers.forEach(({ messages }) => handle(messages, message)),
    frame: (frame) => receivers.forEach(({ frames }) => handle(frames, frame)),
  })
  sender = new Sender(link, complain)
  link.connect()
}

function handle<M extends { type: string }>(handlers: object | undefined, message: M): void {
  const handler = (handlers as Record<string, (message: M) => void> | undefined)?.[message.type]
  handler?.(message)
}

function onOpen(): void {
  const had = connected.value
  connected.value = true
  if (had === false) say('Connected again. All that was finished is here.')
}

function onBreak(receivers: readonly Receiver[]): void {
  connected.value = false
  void askWhetherKnown()
  if (current().lost()) say('The connection was lost in the middle of a drag, which was taken back.', 'problem')
  dragging.value = false
  before.value = null
  busy.value = ''
  for (const receiver of receivers) receiver.disconnected?.()
}

/** A server that was started with another secret refuses this page for good: say what to do. */
async function askWhetherKnown(): Promise<void> {
  const answer = await fetch(keyed('/api/health')).catch(() => null)
  if (answer?.status === 403)
    say('The server no longer knows this page: open the whole address that facewright studio printed.', 'problem')
}
