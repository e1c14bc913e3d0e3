/** All shortcuts, from the tables that carry them out. */
import { pointerHints, shortcuts } from '../../core/shortcuts'
import { Dialog } from '../../widgets/Dialog'
import { helping } from './state'

export function ShortcutList() {
  const groups = [...new Set(shortcuts.value.map((shortcut) => shortcut.group))]
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
              {shortcuts.value
                .filter((shortcut) => shortcut.group === group)
                .map(({ keys, does }) => (
                  <Line key={keys} keys={keys} does={does} />
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h2>Pointer</h2>
          <dl>
            {pointerHints.value.map(([keys, does]) => (
              <Line key={keys} keys={keys} does={does} />
            ))}
          </dl>
        </section>
      </div>
      <footer>
        <a class="faint" href="/licenses.txt" target="_blank" rel="noopener" data-tip="In another tab">
          Licences of what this page is made of
        </a>
      </footer>
    </Dialog>
  )
}

function Line({ keys, does }: { keys: string; does: string }) {
  return (
    <div>
      <dt>
        {keys.split('+').map((key) => (
          <kbd key={key}>{key.replace(/^Arrow/, '')}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  )
}
