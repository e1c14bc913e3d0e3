/** The page: its bar, its panels, the viewport, dialogs. All of it comes from the features. */
import { leftShown, rightShown } from '../core/panels'
import { bottomOpen } from '../core/view'
import { isNameAsked, NameDialog } from '../widgets/NameDialog'
import { Toasts } from '../widgets/Toasts'
import { Tooltip } from '../widgets/Tooltip'
import { FEATURES } from './features'
import { Inspector } from './Inspector'
import { stageShown } from './tabs'
import { TopBar } from './TopBar'
import { ViewportPanel } from './ViewportPanel'

const LANES = FEATURES.flatMap((feature) => feature.lanes ?? [])
const DIALOGS = FEATURES.flatMap((feature) => feature.dialogs ?? [])

export const isDialogOpen = () => isNameAsked() || DIALOGS.some(({ isOpen }) => isOpen())

export function App() {
  const Stage = stageShown.value
  return (
    <>
      <TopBar />
      {leftShown.value && !Stage && FEATURES.map(({ name, Left }) => Left && <Left key={name} />)}
      <ViewportPanel />
      {Stage && <Stage />}
      {rightShown.value && <Inspector />}
      {bottomOpen.value && !Stage && FEATURES.map(({ name, Bottom }) => Bottom && <Bottom key={name} lanes={LANES} />)}
      <Toasts />
      {DIALOGS.map(({ isOpen, Body }, i) => isOpen() && <Body key={i} />)}
      <NameDialog />
      <Tooltip />
    </>
  )
}
