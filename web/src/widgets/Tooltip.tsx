/** One tooltip for the page: shows `data-tip` and `data-keys` of what is pointed at or focused. */
import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const WAIT = 450 // ms

const shown = signal<{ text: string; keys: string; box: DOMRect; beside: boolean } | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

function elementWithTip(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
}

function show(element: HTMLElement): void {
  const { tip = '', keys = '' } = element.dataset
  // In a list it would hide what comes next.
  const panel = element.closest('.sliders .scroll')
  const box = element.getBoundingClientRect()
  shown.value = {
    text: tip,
    keys,
    beside: panel !== null,
    box: panel ? new DOMRect(box.x, box.y, panel.getBoundingClientRect().right - box.x, box.height) : box,
  }
}

function hide(): void {
  clearTimeout(timer)
  shown.value = null
}

export function Tooltip() {
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const over = (event: Event) => {
      const element = elementWithTip(event)
      hide()
      if (element) timer = setTimeout(() => show(element), WAIT)
    }
    const focus = (event: Event) => {
      const element = elementWithTip(event)
      if (element?.matches(':focus-visible')) timer = setTimeout(() => show(element), WAIT)
    }
    const events: [string, (event: Event) => void][] = [
      ['pointerover', over],
      ['focusin', focus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', hide],
    ]
    for (const [name, listener] of events) document.addEventListener(name, listener, true)
    return () => {
      for (const [name, listener] of events) document.removeEventListener(name, listener, true)
    }
  }, [])
  const what = shown.value
  useLayoutEffect(() => {
    const element = bubble.current
    if (!what || !element) return
    const { width, height } = element.getBoundingClientRect()
    const left = Math.min(Math.max(what.box.left + what.box.width / 2 - width / 2, 8), innerWidth - width - 8)
    const below = what.beside ? Math.min(what.box.top, innerHeight - height - 8) : what.box.bottom + 6
    element.style.left = `${what.beside ? what.box.right + 6 : left}px`
    element.style.top = `${below + height > innerHeight - 8 ? what.box.top - height - 6 : below}px`
  }, [what])
  if (!what) return null
  return (
    <div ref={bubble} class="tooltip" role="tooltip">
      {what.text}
      {what.keys && <kbd>{what.keys}</kbd>}
    </div>
  )
}
