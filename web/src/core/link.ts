/** The WebSocket. No other file uses it. */
import { decode, type Frame } from './frames'
import type { PageMessage, ServerMessage } from './protocol.gen'
import { Newest, Stream } from './stream'

/** A message without its number, which the link counts. */
export type Message = {
  [T in PageMessage['type']]: Omit<Extract<PageMessage, { type: T }>, 'seq'>
}[PageMessage['type']]

export interface Listener {
  connected(open: boolean): void
  message(message: ServerMessage): void
  frame(frame: Frame): void
}

/** The server did not carry a message out. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly canReplace: boolean,
  ) {
    super(message)
  }
}

interface Promised {
  resolve(): void
  reject(reason: Error): void
}

const RETRY = 700 // ms

export class Link {
  private socket: WebSocket | null = null
  private seq = 0
  private readonly newest = new Newest()
  private readonly promised = new Map<number, Promised>()
  private readonly updates = new Stream<Message>((message) => this.put(message))

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {}

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  connect(): void {
    const socket = new WebSocket(this.address)
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => this.listener.connected(true)
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data)
    socket.onclose = () => this.closed()
    this.socket = socket
  }

  /** Send now; what waits in the stream goes first. Gives the number, 0 where there is no connection. */
  send(message: Message): number {
    this.updates.flush()
    return this.put(message)
  }

  /** Send; the promise is kept when the message was carried out, and broken when it was refused. */
  ask(message: Message): Promise<void> {
    const seq = this.send(message)
    if (seq === 0) return Promise.reject(new Error('The server cannot be reached; try again when it is back.'))
    return new Promise((resolve, reject) => this.promised.set(seq, { resolve, reject }))
  }

  /** Send unless something newer comes first. */
  stream(message: Message): void {
    if (this.open) this.updates.offer(message)
  }

  /** Forget an update that waits. */
  dropUpdate(): void {
    this.updates.drop()
  }

  private put(message: Message): number {
    if (!this.open) return 0
    this.seq += 1
    this.socket?.send(JSON.stringify({ ...message, seq: this.seq }))
    return this.seq
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return this.receiveFrame(decode(data))
    const message = JSON.parse(data) as ServerMessage
    if (message.type === 'Done' || message.type === 'Refused') this.updates.answered(message.seq)
    if (message.type === 'Done') this.settle(message.seq, null)
    if (message.type === 'Refused') {
      if (this.settle(message.seq, new Refusal(message.message, message.can_replace))) return
    }
    this.listener.message(message)
  }

  private receiveFrame(frame: Frame): void {
    if (frame.type === 'Pose' && !this.newest.admits(frame.seq)) return
    this.listener.frame(frame)
    if (frame.type === 'Pose') this.updates.answered(frame.seq)
    else if ('seq' in frame) this.settle(frame.seq, null) // it answers a query
  }

  private settle(seq: number, problem: Error | null): boolean {
    const promised = this.promised.get(seq)
    if (!promised) return false
    this.promised.delete(seq)
    if (problem) promised.reject(problem)
    else promised.resolve()
    return true
  }

  private closed(): void {
    this.socket = null
    this.updates.reset()
    this.newest.reset()
    for (const { reject } of this.promised.values()) reject(new Error('The connection was lost before this was done.'))
    this.promised.clear()
    this.listener.connected(false)
    setTimeout(() => this.connect(), RETRY)
  }
}
