import type { BottomProps } from '../feature'
import { Lanes } from './Lanes'
import { TimelineBar } from './TimelineBar'

export function Timeline({ lanes }: BottomProps) {
  return (
    <section class="panel timeline" aria-label="Timeline">
      <TimelineBar />
      <Lanes lanes={lanes} />
    </section>
  )
}
