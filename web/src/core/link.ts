/** The socket: the only file that knows it. */
import { unpack, type Frame } from './frames'
import type { PageMessage, ServerMessage } from './protocol.gen'
import { Newest, Stream } from './stream'

/** A message without its number, which the link counts. */
export type Wish = { [T in PageMessage['type']]: Omit<Extract<PageMessage, { type: T }>, 'seq'> }[PageMessage['type']]

export interface Listener {
  connected(open: boolean): void
  message(message: ServerMessage): void
  frame(frame: Frame): void
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
  private readonly updates = new Stream<Wish>((wish) => this.put(wish))

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
  send(wish: Wish): number {
    this.updates.flush()
    return this.put(wish)
  }

  /** Send, and learn whether it was carried out. */
  ask(wish: Wish): Promise<void> {
    const seq = this.send(wish)
    if (seq === 0) return Promise.reject(new Error('The server cannot be reached; try again when it is back.'))
    return new Promise((resolve, reject) => this.promised.set(seq, { resolve, reject }))
  }

  /** Send unless something newer comes first. */
  stream(wish: Wish): void {
    if (this.open) this.updates.offer(wish)
  }

  /** Forget an update that waits. */
  dropUpdate(): void {
    this.updates.drop()
  }

  private put(wish: Wish): number {
    if (!this.open) return 0
    this.seq += 1
    this.socket?.send(JSON.stringify({ ...wish, seq: this.seq }))
    return this.seq
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return this.receiveFrame(unpack(data))
    const message = JSON.parse(data) as ServerMessage
    if (message.type === 'Done' || message.type === 'Refused') this.updates.answered(message.seq)
    if (message.type === 'Done') this.settle(message.seq, null)
    if (message.type === 'Refused') {
      if (this.settle(message.seq, new Error(message.message))) return
    }
    this.listener.message(message)
  }

  private receiveFrame(frame: Frame): void {
    if (frame.header.type === 'ClipTable' || frame.header.type === 'TakeFitTable') this.settle(frame.header.seq, null)
    if (frame.header.type === 'Pose' && !this.newest.admits(frame.header.seq)) return
    this.listener.frame(frame)
    if (frame.header.type === 'Pose') this.updates.answered(frame.header.seq)
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
