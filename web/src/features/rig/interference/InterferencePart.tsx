/** Sliders that interfere: the matrix of all pairs, the strongest of them in a table, and shapes that are unusual. */
import { useEffect } from 'preact/hooks'
import { act } from '../../../core/server'
import { Button, Section } from '../../../widgets/controls'
import { ChosenPair } from './ChosenPair'
import { Findings } from './Findings'
import './interference.css'
import { Matrix } from './Matrix'
import { PairTable } from './PairTable'
import { info, pair } from './state'

const compare = () => void act({ type: 'FindInterference' })

export function InterferencePart() {
  const { progress, current, found } = info.value
  useEffect(() => {
    const { progress, current, found } = info.peek()
    if (!(found && current) && !progress) compare()
  }, [])
  return (
    <>
      <Section title={found ? `Interference ${found.fighting}` : 'Interference'}>
        {progress && (
          <div class="row compare-progress">
            <progress
              value={progress.total ? progress.done / progress.total : undefined}
              aria-label="Comparing all sliders and shapes"
            />
            <Button label="Stop" tip="Stop comparing" onClick={() => void act({ type: 'StopInterference' })} />
          </div>
        )}
        {progress && <p class="rule-state">{progress.note ? `Comparing ${progress.note}` : 'Comparing'} …</p>}
        {!progress && found && !current && (
          <p class="rule-state stale" role="status">
            The rig has changed since.
          </p>
        )}
        {!progress && !(found && current) && (
          <div class="row">
            <Button
              id="find-interference"
              icon="reset"
              label={found ? 'Compare again' : 'Compare'}
              tip="Compare every slider with every other, and every shape with all others"
              onClick={compare}
            />
          </div>
        )}
        {found && <Matrix found={found} />}
      </Section>
      {pair.value && <ChosenPair pair={pair.value} />}
      {found && <PairTable pairs={found.pairs} />}
      {found && <Findings findings={found.shapes} />}
    </>
  )
}
