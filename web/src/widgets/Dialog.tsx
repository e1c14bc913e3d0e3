/** A window over the page. Escape and a click beside it close it. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './controls'

interface Props {
  title: string
  wide?: boolean
  onClose(): void
  children: ComponentChildren
}

export function Dialog({ title, wide, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    element.current?.showModal()
    element.current?.querySelector<HTMLElement>('[autofocus], .strong')?.focus()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <div class="sheet">
        <header>
          <h1>{title}</h1>
          <Button icon="close" tip="Close" keys="Esc" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
