/** The browser's socket for tests, with the server's end in the test's hands. */
import { ARRAYS, type Frame } from './frames.gen'

export class Socket {
  static readonly OPEN = 1
  static all: Socket[] = []
  readyState = 0
  binaryType = ''
  sent: { type: string; seq: number }[] = []
  onopen = () => undefined
  onclose = () => undefined
  onmessage: (event: { data: string | ArrayBuffer }) => void = () => undefined

  constructor() {
    Socket.all.push(this)
  }

  open() {
    this.readyState = 1
    this.onopen()
  }

  break() {
    this.readyState = 3
    this.onclose()
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as { type: string; seq: number })
  }

  tell(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
  }

  /** Send a frame whose arrays are all empty. */
  frame(type: Frame['type'], seq: number) {
    const arrays = Object.fromEntries(
      Object.entries(ARRAYS[type]).map(([name, kind]) => [name, { kind: kind.slice(0, 2), shape: [0], offset: 0 }]),
    )
    const text = new TextEncoder().encode(JSON.stringify({ type, seq, arrays }))
    const buffer = new ArrayBuffer(Math.ceil((8 + text.length) / 8) * 8)
    new Uint8Array(buffer).set(new TextEncoder().encode('FWF1'))
    new DataView(buffer).setUint32(4, text.length, true)
    new Uint8Array(buffer).set(text, 8)
    this.onmessage({ data: buffer })
  }
}
