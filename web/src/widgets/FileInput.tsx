/** A hidden input that takes one file; a button or a label around it opens the browser's dialog. */
import type { RefObject } from 'preact'

interface Props {
  input?: RefObject<HTMLInputElement | null>
  id?: string
  label: string
  accept: readonly string[] // suffixes
  onFile(file: File): void
}

export const FileInput = ({ input, id, label, accept, onFile }: Props) => (
  <input
    ref={input}
    id={id}
    class="hidden"
    type="file"
    accept={accept.join(',')}
    tabIndex={input ? -1 : undefined} // the button that opens it can be reached
    aria-label={label}
    onChange={(event) => {
      const [file] = event.currentTarget.files ?? []
      event.currentTarget.value = '' // the same file may be chosen again
      if (file) onFile(file)
    }}
  />
)
