/** What is said of senders and of a recording. */
import type { LiveInfo, LiveSourceInfo, LiveTakeInfo } from '../../core/protocol.gen'

// Whole numbers: words that stay the same are not painted anew, and the next face does not wait for that.
export const milliseconds = (seconds: number) => (seconds < 0.001 ? 'under 1 ms' : `${(1000 * seconds).toFixed(0)} ms`)

export function sourceWords({ rate, loss, delay, seen }: LiveSourceInfo): string {
  if (!seen) return 'sees no face, or is silent'
  const lost = loss < 0.0005 ? 'nothing lost' : `${(100 * loss).toFixed(1)} % lost`
  return `${rate.toFixed(0)} Hz · ${lost} · ${milliseconds(delay)} late`
}

export function recordingWords({ countdown, recorded }: LiveInfo): string {
  if (recorded === null) return ''
  if (countdown > 0) return `In ${Math.ceil(countdown)} …`
  return `${recorded} frame${recorded === 1 ? '' : 's'}`
}

/** Packets that cannot be read. */
export const badWords = ({ bad, problem }: LiveInfo) =>
  `${bad} packet${bad === 1 ? '' : 's'} could not be read: ${problem}`

/** A take in a line. */
export function takeWords({ seconds, frames, lost }: LiveTakeInfo): string {
  const whole = `${seconds.toFixed(1)} s · ${frames} frames`
  return lost ? `${whole} · ${lost} lost` : whole
}
