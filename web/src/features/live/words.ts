/** What is said of senders and of a recording. */
import type { LiveInfo, LiveSourceInfo } from '../../core/protocol.gen'

export const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms`

export function sourceWords({ rate, loss, delay, seen }: LiveSourceInfo): string {
  if (!seen) return 'sees no face, or is silent'
  const lost = loss < 0.0005 ? 'nothing lost' : `${(100 * loss).toFixed(1)} % lost`
  return `${rate.toFixed(0)} a second · ${lost} · ${milliseconds(delay)} late`
}

export function recordingWords({ countdown, recorded }: LiveInfo): string {
  if (recorded === null) return ''
  if (countdown > 0) return `In ${Math.ceil(countdown)} …`
  return `${recorded} frame${recorded === 1 ? '' : 's'}`
}

/** What a person should do about names that drive nothing, and packets that cannot be read. */
export function troubleWords({ bad, problem, left, source }: LiveInfo): string[] {
  const found: string[] = []
  if (bad) found.push(`${bad} packet${bad === 1 ? '' : 's'} could not be read: ${problem}`)
  if (source && left.length) found.push(`These names drive no slider: ${left.join(', ')}`)
  return found
}
