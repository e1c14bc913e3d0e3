/** Which curves of recorded weights drive which sliders: by meaning, or as a map of names says. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { nameMap } from '../core/document'
import { act } from '../core/server'
import { Button, Section } from './controls'
import { FileInput } from './FileInput'

/** `children`: what else there is to say of names. */
export function NamesSection({ children }: { children?: ComponentChildren }) {
  const input = useRef<HTMLInputElement>(null)
  const map = nameMap.value
  const aside = (
    <span class="actions">
      <Button
        icon="open"
        tip="Go by a map of names, a .csv with rows curve,slider or curve,slider,factor, for live faces, and for recordings of weights that are loaded from now on"
        onClick={() => input.current?.click()}
      />
      <Button
        icon="trash"
        tip="Match curves by what their names mean alone"
        disabled={!map}
        onClick={() => act({ type: 'ForgetNameMap' })}
      />
    </span>
  )
  return (
    <Section title="Names of weights" aside={aside}>
      <p class="fact faint">
        {map ? `By ${map.name}: ${map.rows} row${map.rows > 1 ? 's' : ''}` : 'Matched by what they mean'}
      </p>
      {children}
      <FileInput
        input={input}
        id="name-map"
        label="A map of names to use"
        accept={['.csv']}
        onFile={(file) => void file.text().then((table) => act({ type: 'UseNameMap', name: file.name, table }))}
      />
    </Section>
  )
}
