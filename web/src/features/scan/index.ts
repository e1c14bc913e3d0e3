/** Depth and scan sequences of a face without markers: shown over it, followed to a clip, compared with it. */
import { scan as current, tracking } from '../../core/document'
import { flip } from '../../core/shortcuts'
import type { Feature } from '../feature'
import { CloudLegend } from './CloudLegend'
import { followScan } from './follow'
import { ScanLane } from './ScanLane'
import { ScanSection } from './ScanSection'
import { cloud, cloudShown, off, residuals, scanFrame, statusOf, trackOptions } from './state'

export const scan: Feature = {
  name: 'scan',
  sections: [{ tab: 'take', Body: ScanSection }],
  layers: [CloudLegend],
  lanes: [ScanLane],
  shortcuts: [{ group: 'Take', keys: 'Shift+C', does: 'The cloud of a depth or scan sequence', run: flip(cloudShown) }],
  remembered: { cloudShown, trackOptions },
  watched: {
    get scan() {
      return current.value && { ...current.value }
    },
    get tracking() {
      return tracking.value && { ...tracking.value }
    },
    /** The cloud that is drawn: its frame, how many points it has, and their distances from the face. */
    get cloud() {
      const found = cloud.value
      const known = [...off.value].filter((each) => !Number.isNaN(each)).map(Math.abs)
      known.sort((a, b) => a - b)
      return (
        found && { frame: found.frame, points: found.arrays.points.length / 3, off: known[known.length >> 1] ?? null }
      )
    },
    get scanFrame() {
      return {
        frame: scanFrame.value,
        status: statusOf(scanFrame.value),
        residuals: residuals.value && [...residuals.value.mean],
      }
    },
  },
  start: followScan,
}
