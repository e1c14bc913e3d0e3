"""Whether the server has answered all that a page sent: a script that listens at the page's socket."""

# What the page sends carries a growing number, and what answers it names that number: `Done`, `Refused` and `Pong` in
# JSON, poses and tables in the JSON header of a binary frame. What changed is sent before the answer, so that the
# page shows the outcome of everything up to the last number that was answered. Our listener runs before the page's.
LISTEN = r"""
window.__wire = { sent: 0, answered: 0 }
window.WebSocket = class extends window.WebSocket {
  constructor(...options) {
    super(...options)
    this.addEventListener('message', ({ data }) => {
      window.__wire.answered = Math.max(window.__wire.answered, number(typeof data === 'string' ? data : header(data)))
    })
    this.addEventListener('close', () => { window.__wire = { sent: 0, answered: 0 } })
  }
  send(data) {
    window.__wire.sent = Math.max(window.__wire.sent, number(data))
    super.send(data)
  }
}
function number(text) {
  return Number(/"seq":\s*(\d+)/.exec(text)?.[1] ?? 0)
}
function header(frame) {
  const length = new DataView(frame).getUint32(4, true)
  return new TextDecoder().decode(new Uint8Array(frame, 8, length))
}
"""

ANSWERED = "!window.__wire || window.__wire.answered >= window.__wire.sent"
