import { building } from '../state/build'
import { bottomOpen, leftOpen, rightOpen } from '../state/view'
import { choosing, helping, opening, saving, welcoming } from '../state/windows'
import { BuildStage } from './build/BuildStage'
import { ChooseFaces } from './build/ChooseFaces'
import { Inspector } from './Inspector'
import { offered } from '../lookActions'
import { OpenDialog } from './OpenDialog'
import { PictureDialog } from './PictureDialog'
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
