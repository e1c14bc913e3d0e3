import { bottomOpen, leftOpen, rightOpen } from '../state/view'
import { helping, opening, saving, welcoming } from '../state/windows'
import { Inspector } from './Inspector'
import { OpenDialog } from './OpenDialog'
import { SaveDialog } from './SaveDialog'
import { Shortcuts } from './Shortcuts'
import { SlidersPanel } from './SlidersPanel'
import { Timeline } from './Timeline'
import { Toasts } from './Toasts'
import { Tooltip } from './Tooltip'
import { TopBar } from './TopBar'
import { ViewportPanel } from './ViewportPanel'
import { Welcome } from './Welcome'

export function App() {
  return (
    <>
      <TopBar />
      {leftOpen.value && <SlidersPanel />}
      <ViewportPanel />
      {rightOpen.value && <Inspector />}
      {bottomOpen.value && <Timeline />}
      <Toasts />
      {opening.value && <OpenDialog />}
      {saving.value && <SaveDialog />}
      {helping.value && <Shortcuts />}
      {welcoming.value && <Welcome />}
      <Tooltip />
    </>
  )
}
