/** From where the face is seen, and whether its mesh is shown; in the corner of a canvas. */
import type { ComponentChildren } from 'preact'
import { flip } from '../core/shortcuts'
import { camera, isolated, wireframe } from '../core/view'
import { carried, lookFrom } from '../scene/current'
import { Button } from './controls'

/** The angle of a view of three quarters, in radians. */
export const QUARTER = (35 * Math.PI) / 180
export const SIDE = Math.PI / 2

export function ViewButtons({ several, children }: { several?: boolean; children?: ComponentChildren }) {
  const { yaw, pitch } = camera.value
  const from = (angle: number) => Math.abs(yaw - angle) < 1e-3 && Math.abs(pitch) < 1e-3
  const [what, whose] = several ? ['the faces', 'their'] : ['the face', 'its']
  const views = [
    ['Front', 0, `See ${what} from the front`],
    ['¾', QUARTER, `See ${what} from ${whose} left, three quarters`],
    ['Side', SIDE, `See ${what} from ${whose} left side`],
  ] as const
  return (
    <div class="float views" role="toolbar" aria-label="Views">
      {views.map(([label, angle, tip], i) => (
        <Button
          key={label}
          label={label}
          pressed={from(angle)}
          tip={tip}
          keys={String(i + 1)}
          onClick={() => lookFrom(angle)}
        />
      ))}
      <i class="rule" />
      <Button icon="wire" pressed={wireframe.value} tip="Show the mesh" keys="E" onClick={flip(wireframe)} />
      {carried.value > 0 && (
        <Button
          icon="face"
          pressed={isolated.value}
          tip="The face alone, without hair, body and all else that the file has"
          keys="Shift+F"
          onClick={flip(isolated)}
        />
      )}
      {children}
    </div>
  )
}
