/** Over the face while a tool is used: what it works on, and a button that puts it away. */
import type { ComponentChildren } from 'preact'
import { Icon } from './icons'

interface Props {
  label: string
  tip?: string
  onClose(): void
  children: ComponentChildren
}

export const ToolNote = ({ label, tip = label, onClose, children }: Props) => (
  <div class="float tool-note" role="status">
    {children}
    <button type="button" class="quiet" aria-label={label} data-tip={tip} data-keys="Esc" onClick={onClose}>
      <Icon name="close" />
    </button>
  </div>
)
