/** A face that arrives live: it is shown over the pose, adjusted, and recorded as clips. */
import { effect } from '@preact/signals'
import { live as current } from '../../core/document'
import { act } from '../../core/server'
import { playing } from '../../core/time'
import type { Feature } from '../feature'
import './live.css'
import { LiveTab } from './LiveTab'
import { RecordingLayer } from './RecordingLayer'
import { countdown, host, kind, phone, port, TAB, takeName } from './state'

/** A clip that plays is looked at: the live face waits. */
function freezeWhilePlaying(): void {
  effect(() => {
    if (playing.value && current.peek()?.frozen === false) act({ type: 'AdjustLive', frozen: true })
  })
}

export const live: Feature = {
  name: 'live',
  tab: { key: TAB, label: 'Live', tip: 'A face that a phone or a program sends: watch it, calibrate it, record it' },
  sections: [{ tab: TAB, Body: LiveTab }],
  layers: [RecordingLayer],
  remembered: { kind, host, port, phone, countdown, takeName },
  watched: {
    get live() {
      return current.value && { ...current.value }
    },
  },
  start: freezeWhilePlaying,
}
