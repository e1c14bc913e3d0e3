/** The list of shortcuts, and the welcome. */
import { Button } from '../../widgets/controls'
import type { Feature } from '../feature'
import { ShortcutList } from './ShortcutList'
import { helping, welcomeOnce, welcoming } from './state'
import { Welcome } from './Welcome'

const showList = () => {
  helping.value = true
}

const HelpButton = () => <Button icon="help" tip="All shortcuts" keys="?" onClick={showList} />

export const help: Feature = {
  name: 'help',
  bar: { side: 'right', Body: HelpButton },
  dialogs: [
    { isOpen: () => helping.value, Body: ShortcutList },
    { isOpen: () => welcoming.value, Body: Welcome },
  ],
  shortcuts: [{ group: 'Work', keys: '?', does: 'This list', run: showList }],
  start: welcomeOnce,
}
