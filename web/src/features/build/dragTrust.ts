/** The slider for trust. */
import { heldRange } from '../../core/gestures/heldRange'
import type { Intend } from '../../core/intents'

/** `ended` is called when it is let go. */
export const dragTrust = (send: Intend, ended?: () => void) =>
  heldRange({
    begun: { label: 'Trust examples', session: 'build' },
    edit: (trust) => ({ type: 'TrustExamples', trust }),
    send,
    ended,
  })
