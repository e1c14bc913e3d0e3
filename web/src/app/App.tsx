import { building } from '../features/build/state'
import { bottomOpen, leftOpen, rightOpen } from '../core/view'
import { choosing, helping, opening, saving, welcoming } from '../core/windows'
import { BuildStage } from '../features/build/BuildStage'
import { ChooseFaces } from '../features/build/ChooseFaces'
import { Inspector } from './Inspector'
import { offered } from '../features/textures/actions'
import { OpenDialog } from '../features/file/OpenDialog'
import { PictureDialog } from '../features/textures/PictureDialog'
import { SaveDialog } from '../features/file/SaveDialog'
import { Shortcuts } from '../features/help/ShortcutsDialog'
import { SlidersPanel } from '../features/sliders/SlidersPanel'
import { Timeline } from '../features/timeline/Timeline'
import { Toasts } from '../widgets/Toasts'
import { Tooltip } from '../widgets/Tooltip'
import { TopBar } from './TopBar'
import { ViewportPanel } from './ViewportPanel'
import { Welcome } from '../features/help/Welcome'

export function App() {
  return (
    <>
      <TopBar />
      {leftOpen.value && !building.value && <SlidersPanel />}
      <ViewportPanel />
      {building.value && <BuildStage />}
      {rightOpen.value && <Inspector />}
      {bottomOpen.value && !building.value && <Timeline />}
      <Toasts />
      {opening.value && <OpenDialog />}
      {saving.value && <SaveDialog />}
      {choosing.value && <ChooseFaces role={choosing.value} />}
      {offered.value.length > 0 && <PictureDialog />}
      {helping.value && <Shortcuts />}
      {welcoming.value && <Welcome />}
      <Tooltip />
    </>
  )
}
