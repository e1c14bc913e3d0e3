/** Which names of the sender drive which sliders: by meaning, by a map, or as it is said here. */
import { nameMap } from '../../core/document'
import type { LiveInfo } from '../../core/protocol.gen'
import { act } from '../../core/server'
import { sliders } from '../../core/sliders'
import { Button } from '../../widgets/controls'
import { NamesSection } from '../../widgets/NamesSection'

const UNSAID = '\n' // the value of what is chosen where nothing is said; no slider has this name

export function LiveNames({ info }: { info: LiveInfo }) {
  const mapped = nameMap.value?.listed ?? []
  const unused = info.left.filter((name) => !mapped.some(({ source }) => source === name))
  return (
    <NamesSection>
      {info.source && (
        <p class="fact faint">
          {info.mapped} names drive the face
          {unused.length > 0 && '; choose what these drive:'}
        </p>
      )}
      {unused.map((name) => (
        <NameRow key={name} name={name} target={UNSAID} />
      ))}
      {mapped.map(({ source, target }) => (
        <NameRow key={`${source} ${target}`} name={source} target={target} />
      ))}
    </NamesSection>
  )
}

function NameRow({ name, target }: { name: string; target: string }) {
  return (
    <div class="live-row">
      <span class="live-name" data-tip={name}>
        {name}
      </span>
      <select
        class="choice"
        aria-label={`Slider that ${name} drives`}
        data-tip={`Slider that ${name} drives`}
        value={target}
        onChange={(event) => void act({ type: 'MapName', source: name, target: event.currentTarget.value })}
      >
        {target === UNSAID && <option value={UNSAID}>choose …</option>}
        <option value="">nothing</option>
        {sliders.value.map(({ info }) => (
          <option key={info.name} value={info.name}>
            {info.name}
          </option>
        ))}
      </select>
      <Button
        icon="reset"
        tip={`Let ${name} go by its meaning again`}
        disabled={target === UNSAID}
        onClick={() => act({ type: 'UnmapName', source: name })}
      />
    </div>
  )
}
