/** How a drag is solved: what moves along with the pin, the method, and how local. */
import { drag, dragMethod, dragSliders, welcome } from '../../core/document'
import { act, edit } from '../../core/server'
import { ghost } from '../../core/view'
import { chooseStyle, methodName, published, STYLES, styleOf } from './method'
import { NaturalPrior } from './NaturalPrior'
import { symmetric } from './state'
import { Check, Choice, Range, Section, Segments } from '../../widgets/controls'
import { SliderSets } from '../../widgets/SliderSets'

const WORDS: Record<string, string> = {
  bounded: 'As chosen above',
  convex: 'Whole faces',
  pinv: 'Exact, unbounded',
  tikhonov: 'Tikhonov',
  transpose: 'Transpose',
  hybrid: 'Hybrid',
  landweber: 'Local … exact',
}
const ABOUT: Record<string, string> = {
  automatic: 'Only what is touched, or a natural face where pins ask for many sliders.',
  bounded: 'Few sliders, always inside their bounds.',
  natural: 'The face that people are likely to make, inside the bounds.',
  convex: 'A mix of whole faces: weights from 0 that sum to 1.',
  pinv: 'The pseudo-inverse: meets the pin, weights may leave their bounds.',
  tikhonov: 'Damped least squares around the pose before the drag.',
  transpose: 'One step: very local, meets the pin only roughly.',
  hybrid: 'Between transpose and pseudo-inverse.',
  landweber: 'A number of small steps: few are local, many are exact.',
}
const MOST = 4 // landweber steps go up to 10 ** MOST

/** Steps of landweber(20), as the slider counts them: their power of ten. */
function localityOf(method: string): number {
  const steps = Number(/\((.*)\)/.exec(method)?.[1] ?? 10)
  return Math.log10(Math.max(steps, 1))
}

export function DragSection() {
  const { method, damped } = drag.value
  const name = methodName(method)
  const style = styleOf(method, dragMethod.value)
  const set = (change: { method?: string; damped?: boolean }) =>
    act({ type: 'SetDragOptions', method, damped, ...change })
  const methods = published(welcome.value?.methods ?? []).map((each) => [each, WORDS[each] ?? each] as const)
  return (
    <Section title="Drag">
      <Segments
        value={style}
        options={STYLES}
        label="What moves along with the point that is dragged"
        broken
        onChange={(next) => chooseStyle(next, drag.value, { act, edit })}
      />
      <p class="about">{ABOUT[style || name] ?? ''}</p>
      {(style === 'natural' || style === 'automatic') && <NaturalPrior />}
      <SliderSets
        kept={dragSliders.value}
        tip="Which sliders drags may move. Usual: gaze, tongue, visemes and whole expressions only where the pin is on them"
        onChange={(sliders) => edit({ type: 'SetDragSliders', sliders })}
      />
      <div class="field">
        <span>Method</span>
        <Choice
          value={style ? 'bounded' : name}
          options={methods}
          tip="A published method instead, to compare: how wanted motion becomes slider values"
          onChange={(next) => set({ method: next === 'landweber' ? 'landweber(10)' : next })}
        />
      </div>
      {name === 'landweber' && (
        <div class="field ends">
          <span>local</span>
          <Range
            label="Locality"
            value={localityOf(method)}
            low={0}
            high={MOST}
            step={0.05}
            tip={`${Math.round(10 ** localityOf(method))} steps: few keep the change near the pin, many meet it exactly`}
            onChange={(power) => set({ method: `landweber(${Math.round(10 ** power)})` })}
          />
          <span>exact</span>
        </div>
      )}
      <Check
        label="Damping"
        on={damped}
        tip="Follow the pointer less where the face can hardly move, such as at the tip of the nose, so that nothing else moves further than the pointer"
        keys="D"
        onChange={(on) => set({ damped: on })}
      />
      <Check
        label="Symmetric"
        on={symmetric.value}
        tip="Move the mirrored points alike"
        keys="S"
        onChange={(on) => {
          symmetric.value = on
        }}
      />
      <Check
        label="Ghost"
        on={ghost.value}
        tip="Show the pose before the drag while dragging"
        keys="G"
        onChange={(on) => {
          ghost.value = on
        }}
      />
    </Section>
  )
}
