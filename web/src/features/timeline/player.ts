/** Plays the current clip by the clock. */
import { clip, time } from '../../core/document'
import { onFrameOfTake, playing, recordedEnd, soundEnd, stopPlaying } from '../../core/time'
import { follow } from '../../core/timeAxis'
import { complain, say } from '../../core/toasts'
import { viewport } from '../../scene/current'
import { clockTime } from '../../core/playing'
import { sampled, showMoment } from './playback'
import { looping, loopRange } from './state'

let runs = 0

/** Play from here. It counts as playing at once, so that pressing again stops it while the clip is still on its way. */
export async function play(): Promise<void> {
  const own = clip.value ?? { start: 0, end: recordedEnd.value }
  const whole = { start: own.start, end: Math.max(own.end, soundEnd.value) } // a sound is heard to its end
  const [start, end] = loopRange.value.length ? loopRange.value : [whole.start, whole.end]
  const span = { start, end }
  if (span.end <= span.start) return say('There is nothing to play yet: set two keys (K) at different times.')
  const run = ++runs
  const stopped = () => !playing.value || run !== runs
  playing.value = true
  try {
    const table = clip.value ? await sampled() : null // without a clip, the take's markers alone
    if (stopped()) return
    const from = time.value >= span.end - 1e-6 || time.value < span.start ? span.start : time.value
    const began = performance.now()
    const step = () => {
      if (stopped()) return
      const at = clockTime(from, (performance.now() - began) / 1000, span, looping.value)
      // Without a graphics card the processor draws the page, too: show no more moments than the face is drawn.
      if (at === null || viewport.value?.redraw.drawn !== false) {
        showMoment(table, onFrameOfTake(at ?? span.end))
        follow(time.value)
      }
      if (at === null) stopPlaying()
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  } catch (problem) {
    if (run === runs) stopPlaying()
    complain(problem)
  }
}

export const playOrStop = () => (playing.value ? stopPlaying() : void play())
