/** Plays the current clip by the clock. */
import { clip, time } from './state/document'
import { clockTime, playing } from './state/playback'
import { complain, say } from './state/toasts'
import { looping } from './state/view'
import { sampled, send, showMoment } from './studio'

export async function play(): Promise<void> {
  const span = clip.value
  if (!span || span.end <= span.start) return say('There is nothing to play yet: set two keys (K) at different times.')
  try {
    const table = await sampled()
    playing.value = true
    const from = time.value >= span.end - 1e-6 ? span.start : time.value
    const began = performance.now()
    const step = () => {
      if (!playing.value) return
      const at = clockTime(from, (performance.now() - began) / 1000, span, looping.value)
      showMoment(table, at ?? span.end)
      if (at === null) stop()
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  } catch (problem) {
    complain(problem)
  }
}

/** Stop where it is, on a whole frame. */
export function stop(): void {
  if (!playing.value) return
  playing.value = false
  const rate = clip.value?.rate ?? 30
  send({ type: 'Scrubbed', time: Math.round(time.value * rate) / rate })
}

export const playOrStop = () => (playing.value ? stop() : void play())
