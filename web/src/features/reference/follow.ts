/** Lets sound and picture follow the document and its time. */
import { effect } from '@preact/signals'
import { plane, sound, time } from '../../core/document'
import { keyed } from '../../core/key'
import { fetchFrame } from '../../core/routes'
import { playing } from '../../core/time'
import { complain } from '../../core/toasts'
import { viewport } from '../../scene/current'
import { fetched } from './actions'
import { player, scrubbed, waveform } from './state'
import { Video } from './video'
import { waveformOf } from './waveform'

export const video = new Video(() => viewport.peek()?.plane.renew())

/** Call `changed` with the id of a file, '' for none, whenever it is another one. */
function whenOther(
  of: { value: { id: string; missing: boolean } | null },
  changed: (id: string) => Promise<void>,
): void {
  let last = ''
  effect(() => {
    const id = of.value && !of.value.missing ? of.value.id : ''
    if (id === last) return
    last = id
    changed(id).catch((problem: unknown) => {
      if (id === last) complain(problem) // nobody waits for what has been replaced
    })
  })
}

export function followSound(): void {
  whenOther(sound, async (id) => {
    waveform.value = null
    await player.load(null)
    if (!id) return
    const { rate, arrays } = await fetchFrame('SoundPeaks', `/api/reference/peaks/${id}`)
    if (sound.peek()?.id !== id) return
    waveform.value = waveformOf(arrays.peaks, rate)
    const data = await (await fetched('sound', id)).arrayBuffer()
    if (sound.peek()?.id === id) await player.load(data)
  })
  effect(() => player.setVolume(sound.value && !sound.value.muted ? sound.value.volume : 0))
  let [last, played] = [time.peek(), false]
  effect(() => {
    const [at, goesOn, from] = [time.value, playing.value, sound.value?.offset ?? 0]
    if (goesOn) player.follow(at - from)
    else {
      player.stop()
      // When playing ends the time is rounded to a frame, which is no going through time.
      if (at !== last && !played && scrubbed.peek() && sound.peek()) player.scrub(at - from)
    }
    ;[last, played] = [at, goesOn]
  })
}

export function followPlane(): void {
  whenOther(plane, async (id) => {
    viewport.peek()?.plane.show(null)
    video.close()
    if (!id) return
    if (plane.peek()!.media.startsWith('image/')) await showPicture(id)
    else await showVideo(id)
  })
  effect(() => {
    const [info, where] = [plane.value, viewport.value]
    if (info && where) where.plane.place(info)
    where?.ask()
  })
  effect(() => {
    const [at, goesOn, info] = [time.value, playing.value, plane.value]
    if (info?.media.startsWith('video/')) video.follow(at - info.offset, goesOn)
  })
}

async function showPicture(id: string): Promise<void> {
  const image = new Image()
  image.src = keyed(`/api/reference/plane/${id}`)
  await image.decode()
  if (plane.peek()?.id === id) viewport.peek()?.plane.show(image)
}

/** A video as it is; where the browser does not play it, as the server converts it. */
async function showVideo(id: string): Promise<void> {
  const file = await (await fetched('plane', id)).blob()
  if (plane.peek()?.id !== id) return
  try {
    await video.load(file)
  } catch {
    const playable = await (await fetched('playable', id)).blob()
    if (plane.peek()?.id !== id) return
    await video.load(playable)
  }
  if (plane.peek()?.id !== id) return
  viewport.peek()?.plane.show(video.element)
  video.follow(time.peek() - plane.peek()!.offset, playing.peek())
}
