/** The list of shapes, what can be done with the chosen one, and where new ones come from. */
import { rig } from '../../../core/document'
import { suffixesOf } from '../../../core/files'
import { edit } from '../../../core/server'
import { activeCount } from '../../../core/sliders'
import { Button, Section } from '../../../widgets/controls'
import { FileInput } from '../../../widgets/FileInput'
import { Icon } from '../../../widgets/icons'
import { FilterField } from '../FilterField'
import { chosenShape, shape } from '../state'
import { freeName, openShapeFile } from './actions'
import { ChosenShape } from './ChosenShape'
import { FileSection } from './FileSection'
import { ShapeRow } from './ShapeRow'
import './shapes.css'
import { filter, listed, shapeFile } from './state'

export function ShapesPart() {
  const found = listed.value
  return (
    <>
      {shapeFile.value && <FileSection file={shapeFile.value} />}
      <Section title={`Shapes ${found.length}`} aside={<NewShapes />}>
        <FilterField
          text={filter}
          label="Filter shapes"
          tip="List the shapes whose name, group or slider has this text"
        />
        {!found.length && (
          <p class="empty">{filter.value.trim() ? 'No shape has this text.' : 'This rig has no shapes yet.'}</p>
        )}
        <ul class={shape.value ? 'list shapes short' : 'list shapes'} aria-label="Shapes">
          {found.map((each) => (
            <ShapeRow key={each.name} shape={each} size={rig.value?.size ?? 1} />
          ))}
        </ul>
      </Section>
      {shape.value && <ChosenShape shape={shape.value} />}
    </>
  )
}

function NewShapes() {
  const name = freeName('pose')
  return (
    <span class="actions">
      <Button
        icon="face"
        disabled={!activeCount.value}
        tip={
          activeCount.value
            ? 'Add the face as it is posed as a new shape, with a slider of its own'
            : 'Pose the face first: then the pose can become a shape'
        }
        onClick={() =>
          void edit({ type: 'AddPoseShape', name }).then((done) => {
            if (done) chosenShape.value = name
          })
        }
      />
      <label
        class="button"
        data-tip="Take shapes from a file: a sculpt (OBJ and others), or another rig. Files can be dropped here, too"
      >
        <FileInput
          label="Take shapes from a file"
          accept={suffixesOf('rig')}
          onFile={(file) => void openShapeFile(file)}
        />
        <Icon name="open" />
      </label>
    </span>
  )
}
