/** What depends on a shape, before it is deleted. */
import { shapes } from '../../../core/document'
import { Button } from '../../../widgets/controls'
import { Dialog } from '../../../widgets/Dialog'
import { deleteWithUses } from './actions'
import { deleting } from './state'

export function DeleteDialog() {
  const name = deleting.value
  const close = () => {
    deleting.value = ''
  }
  const { uses = '', dependent = [] } = shapes.value.find((each) => each.name === name) ?? {}
  return (
    <Dialog title={`Delete ${name}?`} onClose={close}>
      <p class="about">{sentence(uses)}. What needs it goes with it; undo brings all of it back.</p>
      <ul class="dependent" aria-label={`What depends on ${name}`}>
        {dependent.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <div class="row end">
        <Button label="Keep it" tip="Change nothing" onClick={close} />
        <Button label="Delete" tone="strong" tip={`Delete ${name} and what needs it`} onClick={deleteWithUses} />
      </div>
    </Dialog>
  )
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
