/** Opening a face or a take: an embedded person, a file of this computer, a file below a named folder. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { openFile, openFolder, openPath, openSample } from '../../core/files'
import { keyed } from '../../core/key'
import type { FileList as Listed, SampleInfo } from '../../core/protocol.gen'
import * as routes from '../../core/routes'
import { welcome } from '../../core/document'
import { complain } from '../../core/toasts'
import { Button, Check } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { Icon } from '../../widgets/icons'
import { opening } from './state'

const SETS: Record<string, string> = { arkit: '52 ARKit shapes', units: 'expression units' }

export function OpenDialog() {
  const people = useSignal<SampleInfo[]>([])
  const listed = useSignal<Listed>({ files: [], recovered: [], recent: [] })
  const keeping = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const close = () => {
    opening.value = false
  }
  const how = keeping.value ? 'keep' : 'new'
  useEffect(() => {
    routes
      .samples()
      .then((found) => {
        people.value = found.samples
      })
      .catch(complain)
    routes
      .files()
      .then((found) => {
        listed.value = found
      })
      .catch(complain)
  }, [])
  const entries = [
    ...listed.value.recovered.map((file) => ({ ...file, note: 'recovered work' })),
    ...listed.value.files.map((file) => ({ ...file, note: size(file.bytes) })),
  ]
  return (
    <Dialog title="Open a face or a take" wide onClose={close}>
      <div class="columns">
        <section>
          <h2>Embedded people</h2>
          <div class="cards">
            {people.value.flatMap(({ person, shapes }) =>
              shapes.map((set) => (
                <button
                  key={`${person} ${set}`}
                  type="button"
                  class="card"
                  data-tip={`Open ${person} with the ${set} shapes`}
                  onClick={() => {
                    close()
                    void openSample(person, set, how)
                  }}
                >
                  <Thumbnail address={`/api/thumbnail/person/${encodeURIComponent(person)}`} />
                  <b>{person[0].toUpperCase() + person.slice(1)}</b>
                  <small>{SETS[set] ?? set}</small>
                </button>
              )),
            )}
          </div>
        </section>
        <section>
          <h2>Your files</h2>
          <Button
            icon="open"
            label="Choose a file…"
            tone="strong"
            tip={`Files ending in ${(welcome.value?.formats ?? []).join(', ')}; several OBJ files are the shapes of one rig; dropping them on the face does the same`}
            onClick={() => input.current?.click()}
          />
          <input
            ref={input}
            id="upload"
            class="hidden"
            type="file"
            multiple
            accept={(welcome.value?.formats ?? []).join(',')}
            tabIndex={-1}
            aria-label="A file to open"
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])]
              if (!files.length) return
              close()
              if (files.length === 1) void openFile(files[0], how)
              else
                void openFolder(
                  'face',
                  files.map((file) => ({ file, path: file.name })),
                  how,
                )
            }}
          />
          {listed.value.recent.length > 0 && (
            <div class="cards recent">
              {listed.value.recent.map((file) => (
                <button
                  key={file.path}
                  type="button"
                  class="card"
                  data-tip={`Open ${file.path}`}
                  onClick={() => {
                    close()
                    void openPath(file.path, how)
                  }}
                >
                  <Thumbnail address={`/api/thumbnail/file?path=${encodeURIComponent(file.path)}&of=${file.changed}`} />
                  <b>{file.path.split('/').pop()}</b>
                  <small>{when(file.changed)}</small>
                </button>
              ))}
            </div>
          )}
          <ul class="list files">
            {entries.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  class="item"
                  data-tip={`Open ${file.path}`}
                  onClick={() => {
                    close()
                    void openPath(file.path, how)
                  }}
                >
                  {file.path}
                  <span class="faint">{file.note}</span>
                </button>
              </li>
            ))}
          </ul>
          {!entries.length && (
            <p class="empty">
              Folders named on the command line would be listed here: facewright studio --folder faces
            </p>
          )}
        </section>
      </div>
      <Check
        label="Keep the pose and the clips, by matching slider names"
        on={keeping.value}
        tip="The other face takes over the pose and all clips as far as its sliders have the same names"
        onChange={(on) => {
          keeping.value = on
        }}
      />
    </Dialog>
  )
}

/** A small picture of a face; a sign where there is none. */
function Thumbnail({ address }: { address: string }) {
  const failed = useSignal(false)
  if (failed.value) return <Icon name="face" />
  return (
    <img
      src={keyed(address)}
      alt=""
      onError={() => {
        failed.value = true
      }}
    />
  )
}

/** When a file was changed, in the user's own way of writing days. */
const when = (seconds: number) =>
  new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const size = (bytes: number) => (bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} KB`)
