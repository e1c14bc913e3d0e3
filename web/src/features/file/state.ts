/** Which dialogs of files are open. */
import { signal } from '@preact/signals'
import { file } from '../../core/document'
import { save } from '../../core/files'
import type { ExportKind } from './exportQuery'

export const opening = signal(false)
export const saving = signal(false)
/** The kind of file that is about to be exported by the dialog, and whether it begins with plain targets. */
export const exporting = signal<{ kind: ExportKind; plain: boolean } | null>(null)

/** Save where the document belongs, or ask where that is. */
export function saveOrAsk(): void {
  if (file.value.saves_to) void save()
  else saving.value = true
}
