import { useRef } from 'preact/hooks'
import type { BottomProps } from '../feature'
import { KeyBar } from './KeyBar'
import { Lanes } from './Lanes'
import { LeftPose } from './LeftPose'
import { Splitter } from './Splitter'
import { timelineHeight } from './state'
import { TimelineBar } from './TimelineBar'

export function Timeline({ lanes }: BottomProps) {
  const root = useRef<HTMLElement>(null)
  const height = timelineHeight.value ? `${timelineHeight.value}px` : undefined
  return (
    <section ref={root} class="panel timeline" aria-label="Timeline" style={{ height }}>
      <Splitter heightOf={() => root.current!.offsetHeight} />
      <TimelineBar />
      <KeyBar />
      <LeftPose />
      <Lanes lanes={lanes} />
    </section>
  )
}
