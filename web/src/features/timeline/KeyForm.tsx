/** A form over the timeline for tools that need numbers. What they do is seen at once; Cancel takes it back. */
import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { clipCurves } from '../../core/document'
import type { Edit } from '../../core/intents'
import { intend } from '../../core/server'
import { Button, NumberField, Range } from '../../widgets/controls'

export interface Field {
  label: string
  tip: string
  value: number // at first
  low: number
  high: number // of the slider; more can be typed up to `most`
  most?: number
  step: number
  digits: number
  suffix?: string
}

export interface Tool {
  title: string
  about: string
  fields: readonly Field[]
  edit(values: readonly number[]): Edit
  /** It is kept. */
  kept?(values: readonly number[]): void
}

interface Open {
  tool: Tool
  values: readonly number[]
  keys: number // of the clip, before
}

const open = signal<Open | null>(null)

const countKeys = () => clipCurves.value.reduce((sum, { times }) => sum + times.length, 0)

/** Show a tool's form, and what it does with its usual numbers. */
export function askFor(tool: Tool): void {
  close(true)
  open.value = { tool, values: tool.fields.map(({ value }) => value), keys: countKeys() }
  intend({ type: 'GestureBegan', label: tool.title })
  preview()
}

function preview(): void {
  const { tool, values } = open.value!
  intend({ type: 'GestureUpdated', edit: tool.edit(values) })
}

function close(keep: boolean): void {
  if (!open.value) return
  const { tool, values } = open.value
  open.value = null
  intend({ type: keep ? 'GestureEnded' : 'GestureCancelled' })
  if (keep) tool.kept?.(values)
}

export function KeyForm() {
  const root = useRef<HTMLDivElement>(null)
  const now = open.value
  useEffect(() => {
    const outside = (event: Event) => {
      if (open.peek() && !root.current?.contains(event.target as Node)) close(true)
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [])
  // Before the next key is pressed, and after the menu has let go of the focus.
  useLayoutEffect(() => root.current?.querySelector('input')?.focus(), [now?.tool])
  if (!now) return null
  const { tool, values, keys } = now
  const set = (place: number, value: number) => {
    const latest = open.peek() // not what was drawn last: two changes may come before the next drawing
    if (!latest) return
    open.value = { ...latest, values: latest.values.map((each, i) => (i === place ? value : each)) }
    preview()
  }
  const left = countKeys()
  return (
    <div
      ref={root}
      class="popup key-form"
      role="dialog"
      aria-label={tool.title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close(false)
        if (event.key === 'Enter' && (event.target as HTMLElement).matches('input')) close(true)
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
      }}
    >
      <strong>{tool.title}</strong>
      <small>{tool.about}</small>
      {tool.fields.map((field, i) => (
        <label key={field.label} class="key-field">
          <span>{field.label}</span>
          <Range
            value={values[i]}
            low={field.low}
            high={field.high}
            step={field.step}
            label={field.label}
            tip={field.tip}
            onChange={(value) => set(i, value)}
          />
          <NumberField
            value={values[i]}
            low={field.low}
            high={field.most ?? field.high}
            digits={field.digits}
            step={field.step}
            suffix={field.suffix}
            tip={field.tip}
            onChange={(value) => set(i, value)}
          />
        </label>
      ))}
      <footer>
        <small>{left === keys ? `${keys} keys` : `${left} of ${keys} keys are left`}</small>
        <span class="spring" />
        <Button label="Cancel" tip="Take it back" keys="Esc" onClick={() => close(false)} />
        <Button label="Apply" tone="strong" tip="Keep it, as one step" keys="Enter" onClick={() => close(true)} />
      </footer>
    </div>
  )
}
