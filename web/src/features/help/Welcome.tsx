/** The three things to try. */
import { Button } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { Icon } from '../../widgets/icons'
import { welcomed } from './state'

export function Welcome() {
  return (
    <Dialog title="Welcome to the studio" onClose={welcomed}>
      <ol class="steps">
        <li>
          <Icon name="pin" />
          <div>
            <b>Drag the face.</b> Click a corner of the mouth and pull. The face follows, and the sliders on the left
            move with it, inside their bounds.
          </div>
        </li>
        <li>
          <Icon name="hold" />
          <div>
            <b>Hold what must stay.</b> Press <kbd>W</kbd>, paint the brows, switch “Hold still” on. Go back with{' '}
            <kbd>Q</kbd> and drag the mouth: the brows stay.
          </div>
        </li>
        <li>
          <Icon name="key" />
          <div>
            <b>Key it.</b> <kbd>K</kbd> keys the pose. Move in time, pose again, <kbd>K</kbd>, and <kbd>Space</kbd>{' '}
            plays.
          </div>
        </li>
      </ol>
      <footer>
        <span class="faint">
          <kbd>?</kbd> lists all shortcuts, <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes anything
        </span>
        <Button id="begin" label="Begin" tone="strong" tip="Close this" keys="Esc" onClick={welcomed} />
      </footer>
    </Dialog>
  )
}
