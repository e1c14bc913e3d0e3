/** Which dialogs of files are open. */
import { signal } from '@preact/signals'
import { file } from '../../core/document'
import { save } from '../../core/files'

export const opening = signal(false)
export const saving = signal(false)
/** The kind of file that is about to be exported with plain targets. */
export const exportingPlain = signal<'glb' | 'fbx' | null>(null)

/** Save where the document belongs, or ask where that is. */
export function saveOrAsk(): void {
  if (file.value.saves_to) void save()
  else saving.value = true
}
