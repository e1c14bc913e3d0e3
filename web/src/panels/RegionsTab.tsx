/** Regions of the face: found, looked at, chosen, changed by hand. */
import { Section } from './controls'

export function RegionsTab() {
  return (
    <Section title="Regions">
      <p class="empty">A face can be divided into regions that move each in their own way.</p>
    </Section>
  )
}
