import { DragSection } from './DragSection'
import { HistorySection } from './HistorySection'
import { HoldSection } from './HoldSection'
import { PartsSection } from './PartsSection'
import { PinsSection } from './PinsSection'

export function Inspector() {
  return (
    <aside class="panel inspector" aria-label="Posing">
      <div class="scroll">
        <DragSection />
        <PinsSection />
        <HoldSection />
        <PartsSection />
        <HistorySection />
      </div>
    </aside>
  )
}
