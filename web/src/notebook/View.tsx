/** A face in a notebook: its sliders, its picture, what is compared with it, and its clip. */
import { Button, Range, Segments } from '../widgets/controls'
import { heatGradient } from '../scene/stage/heat'
import { FaceCanvas } from './FaceCanvas'
import { scaleOf } from './heat'
import { SliderPanel } from './SliderPanel'
import type { ViewState } from './state'

const QUARTER = (35 * Math.PI) / 180

const ARRANGEMENTS = [
  ['beside', 'Beside', 'The two faces beside each other'],
  ['split', 'Split', 'Both in one place, with a line between them that is dragged'],
  ['over', 'Over', 'The second over the first'],
] as const

export function View({ state }: { state: ViewState }) {
  return (
    <div class="notebook" style={{ height: `${state.height.value}px` }}>
      <div class="notebook-main">
        {state.panel.value && <SliderPanel state={state} />}
        <Faces state={state} />
      </div>
      {state.clip.value && <ClipBar state={state} />}
    </div>
  )
}

function Faces({ state }: { state: ViewState }) {
  const how = state.compares.value ? state.arrangement.value : 'beside'
  const second = {
    clipPath: how === 'split' ? `inset(0 0 0 ${100 * state.divider.value}%)` : undefined,
    opacity: how === 'over' ? state.strength.value : undefined,
  }
  return (
    <main class={`viewport ${how}`} aria-label="The face">
      <div class="notebook-face">
        <FaceCanvas state={state} which={0} />
      </div>
      {state.compares.value && (
        <div class="notebook-face" style={second}>
          <FaceCanvas state={state} which={1} />
        </div>
      )}
      <Caption name={state.faces[0].packed.name} />
      {state.compares.value && <Caption name={state.otherName} second />}
      {how === 'split' && <Divider state={state} />}
      <Tools state={state} />
      {state.compares.value && <Comparison state={state} />}
      {state.heat.value && <Legend state={state} />}
      {state.problem.value && <p class="residual">{state.problem.value}</p>}
    </main>
  )
}

const Caption = ({ name, second }: { name: string; second?: boolean }) =>
  name ? <p class={second ? 'notebook-caption second' : 'notebook-caption'}>{name}</p> : null

function Tools({ state }: { state: ViewState }) {
  const { yaw, pitch } = state.camera.value
  const look = (angle: number) => {
    state.camera.value = state.framed(angle, 0)
  }
  const views = [
    ['Front', 0],
    ['¾', QUARTER],
    ['Side', Math.PI / 2],
  ] as const
  return (
    <div class="float views" role="toolbar" aria-label="Views">
      {views.map(([label, angle]) => (
        <Button
          key={label}
          label={label}
          pressed={Math.abs(yaw - angle) < 1e-3 && Math.abs(pitch) < 1e-3}
          tip={`See the face: ${label}`}
          onClick={() => look(angle)}
        />
      ))}
      <i class="rule" />
      <Button
        icon="wire"
        tip="Show the mesh"
        pressed={state.wire.value}
        onClick={() => (state.wire.value = !state.wire.value)}
      />
      <Button
        icon="left"
        tip="Show the sliders"
        pressed={state.panel.value}
        onClick={() => (state.panel.value = !state.panel.value)}
      />
    </div>
  )
}

function Comparison({ state }: { state: ViewState }) {
  return (
    <div class="float tools">
      <Segments
        value={state.arrangement.value}
        options={ARRANGEMENTS}
        label="How the two faces are arranged"
        onChange={(arrangement) => state.arrange(arrangement)}
      />
      {state.arrangement.value === 'over' && (
        <Range
          value={state.strength.value}
          low={0}
          high={1}
          label="How much of the second face is seen"
          tip="Left: the first face. Right: the second"
          onChange={(strength) => (state.strength.value = strength)}
        />
      )}
    </div>
  )
}

function Divider({ state }: { state: ViewState }) {
  const put = (share: number) => (state.divider.value = Math.min(Math.max(share, 0.02), 0.98))
  return (
    <div
      class="compare-divider"
      role="slider"
      tabIndex={0}
      aria-label="Divider between the two faces"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * state.divider.value)}
      data-tip="Drag it across the face"
      style={{ left: `${100 * state.divider.value}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect()
        put((event.clientX - left) / width)
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key]
        if (step) put(state.divider.value + step)
      }}
    >
      <i />
    </div>
  )
}

const said = (value: number) => Number(value.toPrecision(3)).toString()

function Legend({ state }: { state: ViewState }) {
  const [low, high] = scaleOf(state.heat.value!, state.heatRange.value)
  return (
    <figure class="heat-legend" aria-label="Colours of the values">
      {state.heatLabel.value && <figcaption>{state.heatLabel.value}</figcaption>}
      <i style={{ backgroundImage: heatGradient() }} />
      <p>
        <span>{said(low)}</span>
        <span>{said((low + high) / 2)}</span>
        <span>{said(high)}</span>
      </p>
    </figure>
  )
}

function ClipBar({ state }: { state: ViewState }) {
  const { start, end } = state.clip.value!
  const playing = state.playing.value
  return (
    <div class="notebook-clip toolbar" role="toolbar" aria-label="Clip">
      <Button
        icon={playing ? 'pause' : 'play'}
        tip={playing ? 'Pause' : 'Play the clip'}
        onClick={() => state.play(!playing)}
      />
      <Range
        value={state.time.value}
        low={start}
        high={end}
        step={0.001}
        label="Time"
        tip="Drag through the clip"
        onChange={(time) => state.goTo(time)}
      />
      <span class="notebook-time">
        {state.time.value.toFixed(2)} / {end.toFixed(2)} s
      </span>
      <Button
        icon="loop"
        tip="Begin again at the end"
        pressed={state.loop.value}
        onClick={() => state.setLoop(!state.loop.value)}
      />
    </div>
  )
}
