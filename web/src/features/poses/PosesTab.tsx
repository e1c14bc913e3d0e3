/** The library of poses: of the document, of the folder that all documents share, and the keys of the clip. */
import { sliders } from '../../core/sliders'
import type { PoseInfo } from '../../core/protocol.gen'
import { chosenName } from '../../core/regions'
import { keyed } from '../../core/key'
import { act, edit } from '../../core/server'
import { Button, Section, Segments } from '../../widgets/controls'
import { apply, copy, keep, paste } from './actions'
import { ChosenPose } from './ChosenPose'
import { chosen, chosenPose, found, keyOf, listed, search, source, type Source } from './state'

const SOURCES = [
  ['document', 'Document', 'Poses that are kept in this document'],
  ['folder', 'Folder', 'Poses in a folder that all documents share'],
  ['keys', 'Keys', 'The poses at the keys of the clip'],
] as const

const EMPTY: Record<Source, string> = {
  document: 'Pose the face, and keep the pose here.',
  folder: 'Choose a pose of the document, and put it into the folder, for all documents.',
  keys: 'The clip has no keys yet, or so many that each would be a frame of a take.',
}

export function PosesTab() {
  const pose = chosen.value
  return (
    <>
      <PresentPose />
      <Section title={`Poses ${listed.value.length || ''}`} aside={<Actions />}>
        <Segments
          value={source.value}
          options={SOURCES}
          label="Which poses are listed"
          onChange={(key) => {
            source.value = key
            if (key === 'folder') void act({ type: 'ReadPoseFolder' })
          }}
        />
        {listed.value.length > 0 && (
          <label class="filter" data-tip="Show only poses whose names or tags have these words">
            <input
              type="search"
              placeholder="Find by name or tag"
              aria-label="Find a pose by its name or tags"
              value={search.value}
              onInput={(event) => {
                search.value = event.currentTarget.value
              }}
            />
          </label>
        )}
        {found.value.length ? (
          <ul class="pose-grid">
            {found.value.map((each) => (
              <PoseTile key={keyOf(each)} pose={each} />
            ))}
          </ul>
        ) : (
          <p class="empty">{listed.value.length ? 'No pose has such a name or tag.' : EMPTY[source.value]}</p>
        )}
      </Section>
      {pose && <ChosenPose key={keyOf(pose)} pose={pose} />}
    </>
  )
}

function Actions() {
  return (
    <span class="actions">
      <Button
        icon="plus"
        tip="Keep the present pose in the document; of the selected sliders, where only these are posed"
        keys="Shift+P"
        onClick={() => void keep()}
      />
    </span>
  )
}

/** What is done with the pose that is there. */
function PresentPose() {
  const present = () => Object.fromEntries(sliders.value.map((each) => [each.info.name, each.weight.value]))
  const mirror = (side: 'left' | 'right') => edit({ type: 'MirrorSide', side, region: chosenName.value })
  return (
    <Section title="Present pose">
      <div class="row">
        <Button
          icon="copy"
          label="Copy"
          tip="Copy the pose as text, for another window"
          onClick={() => void copy('pose', present())}
        />
        <Button icon="take" label="Paste" tip="Apply a pose that was copied as text" onClick={() => void paste()} />
      </div>
      <div class="row">
        <Button
          label="L to R"
          tip="Mirror: the face's left side is copied to its right"
          onClick={() => mirror('left')}
        />
        <Button
          label="R to L"
          tip="Mirror: the face's right side is copied to its left"
          onClick={() => mirror('right')}
        />
        <Button
          icon="flip"
          label="Flip"
          tip="Exchange left and right"
          keys="Shift+X"
          onClick={() => edit({ type: 'MirrorPose' })}
        />
      </div>
    </Section>
  )
}

function PoseTile({ pose }: { pose: PoseInfo }) {
  const isChosen = keyOf(pose) === chosenPose.value
  return (
    <li>
      <button
        type="button"
        class="pose-tile"
        aria-pressed={isChosen}
        data-tip={[pose.name, pose.tags.join(', '), 'A double click applies it'].filter(Boolean).join(' · ')}
        onClick={() => {
          chosenPose.value = keyOf(pose)
        }}
        onDblClick={() => void apply(pose)}
      >
        <img src={keyed(`/api/pose/${pose.picture}`)} alt="" width={64} height={64} loading="lazy" draggable={false} />
        <span>{pose.name}</span>
      </button>
    </li>
  )
}
