/** Files dropped anywhere on the page. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { giveFiles } from '../features/build/actions'
import { openFile } from '../core/files'
import { isPicture, offerPicture } from '../features/textures/actions'
import { building } from '../features/build/state'

export const dropping = signal(false)

const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

export function Drop() {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (bringsFiles(event)) {
        event.preventDefault()
        dropping.value = true
      }
    }
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) dropping.value = false
    }
    const drop = (event: DragEvent) => {
      if (!bringsFiles(event)) return
      event.preventDefault() // or the browser would go to the file
      dropping.value = false
      const files = [...(event.dataTransfer?.files ?? [])]
      void (building.value ? giveFiles(files) : openAll(files, event.shiftKey))
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
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

/** One after the other: a face before the take that is for it. */
async function openAll(files: File[], keeping: boolean): Promise<void> {
  const isFace = (file: File) => /\.(fwface|glb|gltf|obj|npz)$/i.test(file.name)
  for (const file of files.sort((a, b) => Number(isFace(b)) - Number(isFace(a)))) {
    if (isPicture(file)) offerPicture(file)
    else await openFile(file, keeping ? 'keep' : 'new')
  }
}
