/** Small graphs of what a corrective is worth: the hats of a slider, or the factors of a combination and their product. */
import type { CorrectiveInfo, FactorInfo } from '../../../core/protocol.gen'
import { posed, values } from '../../../core/pose'
import { byName } from '../../../core/sliders'
import { alongTheWay, heights, placed, points, valueAt, type Curve, type Frame } from './graph'

interface Line {
  name: string
  curve: Curve
  strong: boolean
}

interface PlotProps {
  lines: readonly Line[]
  label: string // for screen readers
  under: string // the name of what goes along
  width: number
  height: number
  now?: number // where the slider is
  level?: number // the present value, where nothing goes along
}

const INSET = 6

function Plot({ lines, label, under, width, height, now, level }: PlotProps) {
  const all = lines.flatMap(({ curve }) => curve.map(([x]) => x))
  const [bottom, top] = heights(lines.map(({ curve }) => curve))
  const frame: Frame = { low: Math.min(...all), high: Math.max(...all), bottom, top, width, height, inset: INSET }
  const across = (y: number, kind: string) => {
    const [from, at] = placed(frame, frame.low, y)
    return <line class={kind} x1={from} y1={at} x2={width - INSET} y2={at} />
  }
  const strong = lines.find((line) => line.strong)!
  const dot = now === undefined ? null : placed(frame, now, valueAt(strong.curve, now))
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {across(0, 'axis')}
        {across(1, 'one')}
        {level !== undefined && across(level, 'level')}
        {lines.map(({ name, curve, strong: isStrong }) => (
          <polyline key={name} class={isStrong ? 'curve strong' : 'curve'} points={points(frame, curve)}>
            <title>{name}</title>
          </polyline>
        ))}
        {dot && <line class="now" x1={dot[0]} y1={INSET} x2={dot[0]} y2={height - INSET} />}
        {dot && <circle class="now" cx={dot[0]} cy={dot[1]} r="3" />}
      </svg>
      <figcaption>
        <small>{frame.low.toFixed(Number.isInteger(frame.low) ? 0 : 2)}</small>
        <small class="what">{under}</small>
        <small>{frame.high.toFixed(Number.isInteger(frame.high) ? 0 : 2)}</small>
      </figcaption>
    </figure>
  )
}

const weightOf = (slider: string) => byName.value.get(slider)?.weight.value ?? 0

/** The hats of all shapes of a slider, with one of them stronger. */
export function Hats({ chosen, all }: { chosen: CorrectiveInfo; all: readonly CorrectiveInfo[] }) {
  const { slider } = chosen.factors[0]
  const own = all.filter(({ factors }) => factors.length === 1 && factors[0].slider === slider)
  const lines = own.map(({ name, factors }) => ({ name, curve: factors[0].curve, strong: name === chosen.name }))
  return (
    <Plot
      lines={[...lines.filter(({ strong }) => !strong), ...lines.filter(({ strong }) => strong)]}
      label={`What ${chosen.name} is worth along ${slider}`}
      under={slider}
      width={232}
      height={84}
      now={weightOf(slider)}
    />
  )
}

/** The factors of a combination, and what they are worth together while all sliders go to their ends. */
export function Products({ chosen }: { chosen: CorrectiveInfo }) {
  void posed.value // `values` is read anew with every pose
  const now = values[chosen.index] ?? 0
  return (
    <>
      <div class="plots">
        {chosen.factors.map((factor) => (
          <OneFactor key={factor.slider} factor={factor} />
        ))}
      </div>
      <Plot
        lines={[{ name: chosen.name, curve: alongTheWay(chosen.factors), strong: true }]}
        label={`What ${chosen.name} is worth while all its sliders go to their ends`}
        under="all of them to their ends"
        width={232}
        height={64}
        level={now}
      />
    </>
  )
}

function OneFactor({ factor: { slider, curve } }: { factor: FactorInfo }) {
  return (
    <Plot
      lines={[{ name: slider, curve, strong: true }]}
      label={`What ${slider} gives to the product`}
      under={slider}
      width={112}
      height={52}
      now={weightOf(slider)}
    />
  )
}
