/** Sliders: the selected ones, the list, pairs that exclude each other, ties, and sets. */
import { useEffect } from 'preact/hooks'
import { rigId } from '../../../core/document'
import { fetchProposals } from './actions'
import { ChosenSliders } from './ChosenSliders'
import { ExclusiveSection } from './ExclusiveSection'
import { SetsSection } from './SetsSection'
import { SliderList } from './SliderList'
import './sliders.css'
import { selected } from './state'
import { TiesSection } from './TiesSection'

export function SlidersPart() {
  const id = rigId.value
  useEffect(() => void fetchProposals(), [id])
  return (
    <>
      {selected.value.length > 0 && <ChosenSliders sliders={selected.value} />}
      <SliderList />
      <ExclusiveSection />
      <TiesSection />
      <SetsSection />
    </>
  )
}
