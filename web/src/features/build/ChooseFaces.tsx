/** Faces for a build: the neutral, or poses, from this computer, from named folders, or embedded. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { give } from './actions'
import type { OpenableFile, SampleInfo } from '../../core/protocol.gen'
import * as routes from '../../core/routes'
import { file } from '../../core/document'
import { suffixesOf } from '../../core/files'
import { complain } from '../../core/toasts'
import { choosing } from './state'
import { Button } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { Icon } from '../../widgets/icons'

export function ChooseFaces() {
  return choosing.value && <FacesDialog role={choosing.value} />
}

function FacesDialog({ role }: { role: 'neutral' | 'pose' }) {
  const listed = useSignal<OpenableFile[]>([])
  const people = useSignal<SampleInfo[]>([])
  const picked = useSignal<string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const formats = suffixesOf('rig')
  const close = () => {
    choosing.value = null
  }
  const take = (sources: Parameters<typeof give>[1]) => {
    close()
    void give(role, sources)
  }
  useEffect(() => {
    routes
      .files()
      .then((found) => {
        listed.value = found.files.filter(({ path }) => formats.some((suffix) => path.toLowerCase().endsWith(suffix)))
      })
      .catch(complain)
    if (role === 'neutral')
      routes
        .samples()
        .then((found) => {
          people.value = found.samples
        })
        .catch(complain)
  }, [])
  const toggle = (path: string) => {
    picked.value = picked.value.includes(path) ? picked.value.filter((each) => each !== path) : [...picked.value, path]
  }
  const several = role === 'pose'
  return (
    <Dialog title={several ? 'Add poses' : 'Load a neutral face'} wide={people.value.length > 0} onClose={close}>
      <div class={people.value.length ? 'columns' : ''}>
        {role === 'neutral' && (
          <section>
            <h2>At hand</h2>
            <div class="cards">
              <button
                type="button"
                class="card"
                data-tip="Rig the face that is open"
                onClick={() => take([{ open: true }])}
              >
                <Icon name="face" />
                <b>The open face</b>
                <small>{file.value.name}</small>
              </button>
              {people.value.map(({ person }) => (
                <button
                  key={person}
                  type="button"
                  class="card"
                  data-tip={`Rig ${person}, to try it out`}
                  onClick={() => take([{ person }])}
                >
                  <Icon name="face" />
                  <b>{person[0].toUpperCase() + person.slice(1)}</b>
                  <small>embedded</small>
                </button>
              ))}
            </div>
          </section>
        )}
        <section>
          <h2>Your files</h2>
          <Button
            icon="open"
            label={several ? 'Choose files…' : 'Choose a file…'}
            tone="strong"
            tip={`Files ending in ${formats.join(', ')}`}
            onClick={() => input.current?.click()}
          />
          <input
            ref={input}
            id="build-upload"
            class="hidden"
            type="file"
            multiple={several}
            accept={formats.join(',')}
            tabIndex={-1}
            aria-label={several ? 'Files with poses' : 'A file with a face'}
            onChange={(event) => take([...(event.currentTarget.files ?? [])].map((each) => ({ file: each })))}
          />
          <ul class="list files">
            {listed.value.map(({ path }) => (
              <li key={path} class={picked.value.includes(path) ? 'chosen' : ''}>
                <button
                  type="button"
                  class="item"
                  aria-pressed={several ? picked.value.includes(path) : undefined}
                  data-tip={several ? `Choose ${path}` : `Load ${path}`}
                  onClick={() => (several ? toggle(path) : take([{ path }]))}
                >
                  {path}
                </button>
              </li>
            ))}
          </ul>
          {!listed.value.length && (
            <p class="empty">
              Folders named on the command line would be listed here: facewright studio --folder faces
            </p>
          )}
          {picked.value.length > 0 && (
            <Button
              label={`Add ${picked.value.length}`}
              tone="strong"
              tip="Add the chosen files as poses"
              onClick={() => take(picked.value.map((path) => ({ path })))}
            />
          )}
        </section>
      </div>
      {several && <p class="about">A file with several shapes gives as many poses.</p>}
    </Dialog>
  )
}
