/** What is open, and what can be done with all of it. */
import { exportAs, save } from '../core/files'
import { baseName } from '../core/files'
import { keep } from '../core/routes'
import { clip, file, rig } from '../core/document'
import { posedRegions } from '../core/local'
import { connected } from '../core/toasts'
import { building } from '../features/build/state'
import { bottomOpen, leftOpen, rightOpen } from '../core/view'
import { helping, opening, saving } from '../core/windows'
import { redo, undo, undoable } from '../core/undo'
import { viewport } from '../scene/current'
import { Button } from '../widgets/controls'
import { Menu, type Entry } from '../widgets/Menu'

async function takePicture(): Promise<void> {
  const blob = await viewport.value?.picture()
  if (blob) keep(blob, `${baseName()}.png`)
}

export function TopBar() {
  const { undo: before, redo: after } = undoable.value
  const exports: Entry[] = [
    {
      label: 'GLB',
      about: posedRegions.value.length
        ? 'shapes, pose and all clips; extra shapes for regions'
        : 'the face with its shapes, pose and all clips',
      run: () => void exportAs('glb'),
    },
    {
      label: 'Weights CSV',
      about: clip.value ? `the clip “${clip.value.name}”, frame by frame` : 'needs a clip: set a key first',
      disabled: !clip.value,
      run: () => void exportAs('csv'),
    },
    { label: 'OBJ', about: 'the pose as a still mesh', run: () => void exportAs('obj') },
    { label: 'Picture of this view', about: 'PNG, as it is seen now', run: () => void takePicture() },
    {
      label: 'Portrait',
      about: 'PNG, 1920 × 1080, from the front, drawn by the server',
      run: () => void exportAs('png', '?width=1920&height=1080&view=front'),
    },
    { label: 'NPZ', about: 'arrays for Python', run: () => void exportAs('npz') },
  ]
  return (
    <header class="topbar">
      <div class="brand" aria-hidden="true">
        <svg viewBox="0 0 20 20">
          <path d="M10 2C5.600 2 3 5.300 3 9.300 3 14.300 6.300 18 10 18s7-3.700 7-8.700C17 5.300 14.400 2 10 2z" />
          <circle cx="13.400" cy="12.200" r="2" />
        </svg>
        Facewright
      </div>
      <nav>
        <Button
          id="open"
          icon="open"
          label="Open"
          tip="Open a face: a sample, a file"
          keys="Ctrl+O"
          onClick={() => {
            opening.value = true
          }}
        />
        <Button
          id="save"
          icon="save"
          label="Save"
          tip={file.value.saves_to ? `Save ${file.value.saves_to}` : 'Save the work as .fwface'}
          keys="Ctrl+S"
          onClick={() => (file.value.saves_to ? void save() : (saving.value = true))}
        />
        <Menu
          id="export"
          icon="export"
          label="Export"
          tip="Take the face, the pose or a clip elsewhere"
          entries={exports}
        />
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
      <nav>
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
          pressed={leftOpen.value}
          disabled={building.value}
          tip="Sliders"
          keys="F2"
          onClick={() => {
            leftOpen.value = !leftOpen.value
          }}
        />
        <Button
          icon="bottom"
          pressed={bottomOpen.value}
          disabled={building.value}
          tip="Timeline"
          keys="F3"
          onClick={() => {
            bottomOpen.value = !bottomOpen.value
          }}
        />
        <Button
          icon="right"
          pressed={rightOpen.value}
          tip="Pose, regions, history"
          keys="F4"
          onClick={() => {
            rightOpen.value = !rightOpen.value
          }}
        />
        <Button
          icon="help"
          tip="All shortcuts"
          keys="?"
          onClick={() => {
            helping.value = true
          }}
        />
      </nav>
    </header>
  )
}
