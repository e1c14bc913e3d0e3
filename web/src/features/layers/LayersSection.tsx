/** The layers of the current clip, the highest first, over the clip itself. */
import { clip, clipName, held, layerName, layers } from '../../core/document'
import type { LayerInfo } from '../../core/protocol.gen'
import { edit } from '../../core/server'
import { Button, Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'
import { add, choose, holdOverClip, move, rename } from './actions'
import { ChosenLayer } from './ChosenLayer'

export function LayersSection() {
  const chosen = layers.value.find(({ name }) => name === layerName.value)
  return (
    <>
      <Section title={`Layers ${layers.value.length || ''}`} aside={<Actions chosen={chosen} />}>
        {clip.value ? (
          <ul class="list layers">
            {[...layers.value].reverse().map((layer) => (
              <LayerRow key={layer.name} layer={layer} />
            ))}
            <li class={layerName.value ? '' : 'chosen'}>
              <button
                type="button"
                class="item"
                aria-pressed={!layerName.value}
                data-tip="Pose and key the clip itself, which lies below all layers"
                onClick={() => void choose('')}
              >
                <span class="layer-name">{clipName.value}</span>
                <span class="faint">clip</span>
              </button>
            </li>
          </ul>
        ) : (
          <p class="empty">Layers lie over a clip or a solved take: they change it and leave its keys as they are.</p>
        )}
        <div class="row">
          <Button
            icon="plus"
            label="Additive"
            tip="A new layer whose keys are added to what is below"
            onClick={() => add('additive')}
          />
          <Button
            icon="plus"
            label="Override"
            tip="A new layer whose keys take the place of what is below"
            onClick={() => add('override')}
          />
        </div>
        <div class="row">
          <Button
            icon="hold"
            label="Hold points over the clip"
            tip={
              held.value.vertices.length
                ? 'A new layer that keeps the held points where they are now, in every frame of the clip'
                : 'Paint points with the tool Hold first: this layer keeps them where they are now, in every frame'
            }
            disabled={!clip.value || !held.value.vertices.length}
            onClick={holdOverClip}
          />
        </div>
      </Section>
      {chosen && <ChosenLayer key={chosen.name} layer={chosen} />}
    </>
  )
}

function Actions({ chosen }: { chosen: LayerInfo | undefined }) {
  const name = chosen?.name ?? ''
  const at = layers.value.findIndex((each) => each.name === name)
  return (
    <span class="actions">
      <Button icon="rename" tip="Give this layer another name" disabled={!chosen} onClick={() => rename(name)} />
      <Button
        icon="up"
        tip="Move this layer up"
        disabled={!chosen || at === layers.value.length - 1}
        onClick={() => move(name, 1)}
      />
      <Button icon="down" tip="Move this layer down" disabled={at < 1} onClick={() => move(name, -1)} />
      <Button
        icon="merge"
        tip="Merge this layer into what is below it; the face stays as it is"
        disabled={!chosen}
        onClick={() => edit({ type: 'MergeLayer', layer: name })}
      />
      <Button
        icon="trash"
        tip="Delete this layer"
        disabled={!chosen}
        onClick={() => edit({ type: 'DeleteLayer', layer: name })}
      />
    </span>
  )
}

function LayerRow({ layer: { name, kind, keys, muted, solo, played } }: { layer: LayerInfo }) {
  const isChosen = name === layerName.value
  return (
    <li class={`${isChosen ? 'chosen' : ''}${played ? '' : ' unplayed'}`}>
      <button
        type="button"
        class="item"
        aria-pressed={isChosen}
        data-tip="Pose and key this layer"
        onClick={() => void choose(name)}
      >
        <span class="layer-name">{name}</span>
        <span class="faint">
          {kind === 'additive' ? '+' : '='} {keys} {keys === 1 ? 'key' : 'keys'}
        </span>
      </button>
      <button
        type="button"
        class="quiet solo"
        aria-pressed={solo}
        aria-label={`Solo ${name}`}
        data-tip={solo ? 'Play other layers again' : 'Play this layer alone over the clip'}
        onClick={() => edit({ type: 'SoloLayer', layer: name, solo: !solo })}
      >
        S
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={muted}
        aria-label={`Mute ${name}`}
        data-tip={muted ? 'Play this layer again' : 'Leave this layer out'}
        onClick={() => edit({ type: 'MuteLayer', layer: name, muted: !muted })}
      >
        <Icon name={muted ? 'eyeOff' : 'eye'} />
      </button>
    </li>
  )
}
