/** Opening, saving and exporting, in the bar at the top. */
import { clip, file, rig } from '../../core/document'
import { baseName, exportAs } from '../../core/files'
import { posedRegions } from '../../core/local'
import { keep } from '../../core/routes'
import { viewport } from '../../scene/current'
import { Button } from '../../widgets/controls'
import { Menu, type Entry } from '../../widgets/Menu'
import { exporting, opening, saveOrAsk } from './state'

async function takePicture(): Promise<void> {
  const blob = await viewport.value?.picture()
  if (blob) keep(blob, `${baseName()}.png`)
}

/** The entry that asks how in-betweens and combinations become targets of a kind of file. */
function plainEntry(name: string, kind: 'glb' | 'fbx'): Entry {
  const linear = rig.value?.linear ?? true
  return {
    label: `${name}, plain targets …`,
    about: linear
      ? 'every slider drives its targets in proportion already'
      : 'for programs that know no in-betweens and combinations',
    disabled: linear,
    run: () => {
      exporting.value = { kind, plain: true }
    },
  }
}

export function FileBar() {
  const exports: Entry[] = [
    {
      label: 'With options …',
      about: 'unit and size, clips and range, keys, names, textures',
      run: () => {
        exporting.value = { kind: 'glb', plain: false }
      },
    },
    {
      label: 'GLB',
      about: posedRegions.value.length
        ? 'shapes, pose and all clips; extra shapes for regions'
        : 'the face with its shapes, pose and all clips',
      run: () => void exportAs('glb'),
    },
    plainEntry('GLB', 'glb'),
    {
      label: 'FBX',
      about: 'for Maya, Unreal, Unity; with in-betweens',
      run: () => void exportAs('fbx'),
    },
    plainEntry('FBX', 'fbx'),
    {
      label: 'USDZ',
      about: 'for film pipelines, Blender, phones; with in-betweens',
      run: () => void exportAs('usdz'),
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
    <>
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
        onClick={saveOrAsk}
      />
      <Menu
        id="export"
        icon="export"
        label="Export"
        tip="Take the face, the pose or a clip elsewhere"
        entries={exports}
      />
    </>
  )
}
