/** Options of the viewport, over its corner: the camera and its views, the light, the surface. */
import { useSignal } from '@preact/signals'
import { bookmarks } from '../../core/document'
import { FIELDS_OF_VIEW, fovOf, withLens } from '../../core/gestures/orbit'
import { edit } from '../../core/server'
import { flip } from '../../core/shortcuts'
import { carried } from '../../scene/current'
import { camera, isolated, viewOptions, wireframe } from '../../core/view'
import type { LightName, SurfaceName } from '../../scene/lighting'
import { Button, Check, Choice, NumberField, Range, Section } from '../../widgets/controls'
import { frameFace, frameSelection, goTo, isAt, keepView, toggleFlat } from './camera'
import { asymmetry, light, surface, symmetryShown } from './state'
import { gradient } from './symmetry'

const LIGHTS: readonly (readonly [LightName, string])[] = [
  ['studio', 'Studio'],
  ['soft', 'Soft, from the front'],
  ['side', 'From the side'],
  ['top', 'From above'],
  ['rim', 'From behind'],
  ['flat', 'None: colours alone'],
]

const SURFACES: readonly (readonly [SurfaceName, string])[] = [
  ['skin', 'Skin'],
  ['clay', 'Clay'],
  ['wax', 'Red wax'],
  ['chrome', 'Chrome'],
  ['stripes', 'Stripes'],
  ['normals', 'Normals'],
]

export function ViewPanel() {
  return (
    <>
      {symmetryShown.value && <Legend />}
      {viewOptions.value && (
        <div
          class="float view-options"
          role="dialog"
          aria-label="Camera, light and surface"
          onKeyDown={(event) => {
            if (event.key === 'Escape') viewOptions.value = false
          }}
        >
          <CameraSection />
          <ViewsSection />
          <LookSection />
        </div>
      )}
    </>
  )
}

function CameraSection() {
  const fov = fovOf(camera.value)
  const set = (next: number) => {
    camera.value = withLens(camera.value, next)
  }
  return (
    <Section title="Camera">
      <div class="field">
        <span>Lens</span>
        <Range
          value={fov}
          low={FIELDS_OF_VIEW[0]}
          high={FIELDS_OF_VIEW[1]}
          step={1}
          label="Field of view"
          tip="Field of view in degrees; the face stays as large as it is"
          onChange={set}
        />
        <NumberField value={fov} digits={0} suffix="°" tip="Degrees of the field of view" onChange={set} />
      </div>
      <Check
        label="Orthographic"
        on={camera.value.flat === true}
        tip="Parallel rays: what is further away is not smaller"
        keys="5"
        onChange={toggleFlat}
      />
      <div class="pair">
        <Button
          label="Frame all"
          tip="See all of the face, from where the camera looks"
          keys="Home"
          onClick={frameFace}
        />
        <Button
          label="Frame selected"
          tip="See the selected pins, what the selected sliders move, or the held points"
          keys="F"
          onClick={frameSelection}
        />
      </div>
    </Section>
  )
}

function ViewsSection() {
  const name = useSignal('')
  const keep = () => {
    keepView(name.value.trim() || undefined)
    name.value = ''
  }
  return (
    <Section title="Views">
      <ul class="list">
        {bookmarks.value.map((view) => (
          <li key={view.name}>
            <button
              type="button"
              class="item"
              aria-pressed={isAt(view)}
              data-tip={`See the face from ${view.name}`}
              onClick={() => goTo(view)}
            >
              {view.name}
            </button>
            <Button
              icon="trash"
              tip={`Forget ${view.name}`}
              onClick={() => edit({ type: 'RemoveBookmark', name: view.name })}
            />
          </li>
        ))}
      </ul>
      <div class="keep-view">
        <input
          type="text"
          maxLength={100}
          placeholder="Name of this view"
          aria-label="Name of this view"
          data-tip="A name under which the view is kept in the document"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
          }}
        />
        <Button
          icon="plus"
          label="Keep"
          tip="Keep where the camera is, in the document"
          keys="Shift+U"
          onClick={keep}
        />
      </div>
    </Section>
  )
}

function LookSection() {
  return (
    <Section title="Look">
      <div class="field">
        <span>Light</span>
        <Choice
          value={light.value}
          options={LIGHTS}
          tip="Where the light comes from; it hangs on the camera"
          disabled={surface.value !== 'skin'}
          onChange={(next) => {
            light.value = next
          }}
        />
      </div>
      <div class="field">
        <span>Surface</span>
        <Choice
          value={surface.value}
          options={SURFACES}
          tip="The skin, or a surface that shows the form alone"
          onChange={(next) => {
            surface.value = next
          }}
        />
      </div>
      <Check
        label="Mesh"
        on={wireframe.value}
        tip="Show the edges of the polygons"
        keys="E"
        onChange={flip(wireframe)}
      />
      {carried.value > 0 && (
        <Check
          label="Face alone"
          on={isolated.value}
          tip="Hide hair, body and all else that the file has besides the face"
          keys="Shift+F"
          onChange={flip(isolated)}
        />
      )}
      <Check
        label="Symmetry"
        on={symmetryShown.value}
        tip="Colours for how far the two sides are from mirror images of each other"
        keys="Shift+S"
        onChange={flip(symmetryShown)}
      />
    </Section>
  )
}

function Legend() {
  const { most, top } = asymmetry.value
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  return (
    <div
      class="ramp-legend symmetry"
      data-tip={`How far vertices are from the mirror images of their partners, in sizes of the face; the most is ${percent(most)}`}
    >
      <span>mirrored</span>
      <i style={{ background: gradient() }} />
      <span>{percent(top)}</span>
    </div>
  )
}
