/** Files dropped anywhere on the page. */
import { useEffect } from 'preact/hooks'
import { openFile } from '../core/files'
import { dropping } from '../core/view'
import type { FileDrop } from '../features/feature'
import { FEATURES } from './features'

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
  void openAll([...(event.dataTransfer?.files ?? [])], event.shiftKey)
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
  return dropping.value ? (
    <div class="drop">
      Drop a face to open it · with Shift the pose and clips stay
      <br />
      Takes and weights come to the face that is open
    </div>
  ) : null
}

const isFace = (file: File) => /\.(fwface|glb|gltf|obj|npz)$/i.test(file.name)

/** One after the other: a face before what is for it, then what features claim. */
async function openAll(files: readonly File[], keeping: boolean): Promise<void> {
  const claimed = new Map<FileDrop, File[]>()
  const others: File[] = []
  for (const file of files) {
    const drop = DROPS.find((each) => each.claims(file))
    if (!drop) others.push(file)
    else claimed.set(drop, [...(claimed.get(drop) ?? []), file])
  }
  for (const file of others.sort((a, b) => Number(isFace(b)) - Number(isFace(a))))
    await openFile(file, keeping ? 'keep' : 'new')
  for (const [drop, own] of claimed) await drop.open(own)
}
