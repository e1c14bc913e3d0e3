/** Files dropped anywhere on the page. */
import { useEffect } from 'preact/hooks'
import { openFile, openFolder, openSequence } from '../core/files'
import { recognised } from '../core/routes'
import { complain, say } from '../core/toasts'
import { dropping } from '../core/view'
import { FEATURES } from './features'
import { openDropped } from './openDropped'
import { readDropped } from './readDropped'

const DROPS = FEATURES.flatMap((feature) => feature.files ?? [])

const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

function onDragOver(event: DragEvent): void {
  if (!bringsFiles(event)) return
  event.preventDefault()
  dropping.value = true
}

function onDragLeave(event: DragEvent): void {
  if (!event.relatedTarget) dropping.value = false
}

function onDrop(event: DragEvent): void {
  if (!bringsFiles(event)) return
  event.preventDefault() // or the browser would go to the file
  dropping.value = false
  const how = event.shiftKey ? 'keep' : 'new'
  if (!event.dataTransfer) return
  readDropped(event.dataTransfer)
    .then((files) =>
      openDropped(files, {
        recognise: recognised,
        drops: DROPS,
        open: (file) => openFile(file, how),
        openFolder: (name, own) => openFolder(name, own, how),
        openSequence,
        refuse: (problem, known) => say(problem, 'problem', known),
      }),
    )
    .catch(complain)
}

export function Drop() {
  useEffect(() => {
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('dragleave', onDragLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('dragleave', onDragLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [])
  if (!dropping.value) return null
  const words = DROPS.map((drop) => drop.words?.()).find((each) => each)
  if (words) return <div class="drop">{words}</div>
  return (
    <div class="drop">
      Drop a face to open it, or a folder of OBJ shapes · with Shift the pose and clips stay
      <br />
      Takes and weights come to the face that is open
    </div>
  )
}
