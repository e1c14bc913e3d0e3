/** A window that asks for another name. */
import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Button } from './controls'
import { Dialog } from './Dialog'

interface Asked {
  title: string
  name: string
  answer(name: string | null): void
}

const asked = signal<Asked | null>(null)

export const isNameAsked = () => asked.value !== null

/** The name that is typed instead of this one; null: it stays. */
export function askName(title: string, name: string): Promise<string | null> {
  asked.value?.answer(null)
  return new Promise((resolve) => {
    asked.value = {
      title,
      name,
      answer: (typed) => {
        asked.value = null
        const other = typed?.trim()
        resolve(other && other !== name ? other : null)
      },
    }
  })
}

export function NameDialog() {
  return asked.value && <Form {...asked.value} key={asked.value.title} />
}

function Form({ title, name, answer }: Asked) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={title} onClose={() => answer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          answer(input.current!.value)
        }}
      >
        <label class="field">
          <span>Name</span>
          <input
            ref={input}
            type="text"
            class="text-input"
            aria-label={title}
            defaultValue={name}
            maxLength={200}
            autofocus
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      </form>
      <footer>
        <Button label="Cancel" tip="Keep the name" keys="Esc" onClick={() => answer(null)} />
        <Button
          label="Rename"
          tone="strong"
          tip="Give it this name"
          keys="Enter"
          onClick={() => answer(input.current!.value)}
        />
      </footer>
    </Dialog>
  )
}
