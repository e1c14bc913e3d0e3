/** What is open, and what can be done with all of it. */
import { file, rig } from '../core/document'
import { leftShown, rightShown, togglePanel } from '../core/panels'
import { flip } from '../core/shortcuts'
import { connected } from '../core/toasts'
import { redo, undo, undoable } from '../core/undo'
import { bottomOpen } from '../core/view'
import { Button } from '../widgets/controls'
import { FEATURES } from './features'
import { stageShown } from './tabs'

/** What features have in the bar. */
function Bars({ side }: { side: 'left' | 'right' }) {
  return <>{FEATURES.map(({ name, bar }) => bar?.side === side && <bar.Body key={name} />)}</>
}

export function TopBar() {
  const { undo: before, redo: after } = undoable.value
  return (
    <header class="topbar">
      <h1 class="hidden">Facewright studio: {file.value.name || 'Untitled'}</h1>
      <div class="brand" aria-hidden="true">
        <svg viewBox="0 0 20 20">
          <path d="M10 2C5.600 2 3 5.300 3 9.300 3 14.300 6.300 18 10 18s7-3.700 7-8.700C17 5.300 14.400 2 10 2z" />
          <circle cx="13.400" cy="12.200" r="2" />
        </svg>
        Facewright
      </div>
      <nav aria-label="File and undo">
        <Bars side="left" />
        <i class="rule" />
        <Button
          id="undo"
          icon="undo"
          tip={before ? `Undo: ${before}` : 'Nothing to undo'}
          keys="Ctrl+Z"
          disabled={!before}
          onClick={undo}
        />
        <Button
          id="redo"
          icon="redo"
          tip={after ? `Redo: ${after}` : 'Nothing to redo'}
          keys="Ctrl+Shift+Z"
          disabled={!after}
          onClick={redo}
        />
      </nav>
      <div
        class="title"
        data-tip={
          rig.value
            ? `${rig.value.vertices.toLocaleString('en')} vertices, ${rig.value.sliders.length} sliders, ${rig.value.shapes.length} shapes`
            : 'No face yet'
        }
      >
        <b>{file.value.name || 'Untitled'}</b>
        {file.value.unsaved && (
          <span
            class="unsaved"
            data-tip="There are changes that are not in a file yet. They are kept by the server all the same"
          >
            edited
          </span>
        )}
      </div>
      <nav aria-label="Panels">
        <span
          class={`connection${connected.value ? '' : ' off'}`}
          role="status"
          data-tip={
            connected.value
              ? 'Connected; every change is kept at once'
              : 'The server does not answer. This page connects again by itself'
          }
        >
          <i />
          {connected.value ? 'kept' : connected.value === null ? 'connecting' : 'reconnecting'}
        </span>
        <Button
          icon="left"
          pressed={leftShown.value}
          disabled={stageShown.value !== null}
          tip="Sliders"
          keys="F2"
          onClick={() => togglePanel('left')}
        />
        <Button
          icon="bottom"
          pressed={bottomOpen.value}
          disabled={stageShown.value !== null}
          tip="Timeline"
          keys="F3"
          onClick={flip(bottomOpen)}
        />
        <Button
          icon="right"
          pressed={rightShown.value}
          tip="Pose, regions, history"
          keys="F4"
          onClick={() => togglePanel('right')}
        />
        <Bars side="right" />
      </nav>
    </header>
  )
}
