import { Lanes } from './Lanes'
import { TimelineBar } from './TimelineBar'

export function Timeline() {
  return (
    <section class="panel timeline" aria-label="Timeline">
      <TimelineBar />
      <Lanes />
    </section>
  )
}
