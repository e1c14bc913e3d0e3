/** All shortcuts, from the table that carries them out. */
import { POINTERS, SHORTCUTS } from '../../app/shortcuts'
import { helping } from '../../core/windows'
import { Dialog } from '../../widgets/Dialog'

export function Shortcuts() {
  const groups = [...new Set(SHORTCUTS.map((shortcut) => shortcut.group))]
  return (
    <Dialog
      title="Shortcuts"
      wide
      onClose={() => {
        helping.value = false
      }}
    >
      <div class="shortcuts">
        {groups.map((group) => (
          <section key={group}>
            <h2>{group}</h2>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ keys, does }) => (
                <Line key={keys} keys={keys} does={does} />
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h2>Pointer</h2>
          <dl>
            {POINTERS.map(([keys, does]) => (
              <Line key={keys} keys={keys} does={does} />
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  )
}

function Line({ keys, does }: { keys: string; does: string }) {
  return (
    <div>
      <dt>
        {keys.split('+').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  )
}
