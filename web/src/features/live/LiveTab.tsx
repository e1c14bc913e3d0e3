/** A face that a phone or a program sends: chosen, calibrated, adjusted, recorded. */
import { live, liveKinds } from '../../core/document'
import type { LiveInfo } from '../../core/protocol.gen'
import { act } from '../../core/server'
import { Button, Check, Choice, NumberField, Range, Section } from '../../widgets/controls'
import { GainsSection } from './GainsSection'
import { LiveNames } from './LiveNames'
import { host, kind, phone, port } from './state'
import { TakesSection } from './TakesSection'
import { badWords, milliseconds, sourceWords } from './words'

export function LiveTab() {
  const info = live.value
  return (
    <>
      <ListenSection info={info} />
      {info && (
        <>
          <SourcesSection info={info} />
          <TakesSection info={info} />
          <ActorSection info={info} />
          <LiveNames info={info} />
          <GainsSection info={info} />
        </>
      )}
    </>
  )
}

function ListenSection({ info }: { info: LiveInfo | null }) {
  const sent = liveKinds.value.find((each) => each.kind === kind.value)
  const usual = sent?.port ?? 11111
  const start = () =>
    void act({
      type: 'StartLive',
      kind: kind.value,
      host: host.value.trim(),
      port: port.value,
      phone: sent?.called ? phone.value.trim() : '',
    })
  return (
    <Section title="Live face">
      <Check
        label={info ? `Listening on ${info.host}:${info.port}` : 'Off'}
        on={info !== null}
        tip="Listen for faces that a phone or a program sends; the face follows, and is itself again when this is off"
        onChange={(on) => (on ? start() : void act({ type: 'StopLive' }))}
      />
      <div class="field">
        <span>Sender</span>
        <Choice
          value={kind.value}
          options={liveKinds.value.map((each) => [each.kind as typeof kind.value, each.label] as const)}
          tip="What sends the face"
          disabled={info !== null}
          onChange={(next) => {
            kind.value = next
            port.value = null
          }}
        />
      </div>
      <div class="field">
        <span>Address</span>
        <input
          class="text-input live-host"
          type="text"
          aria-label="Address of this machine that the sender sends to"
          data-tip="127.0.0.1: programs on this machine alone. For a phone, this machine's own address in its network"
          value={host.value}
          disabled={info !== null}
          onChange={(event) => {
            host.value = event.currentTarget.value
          }}
        />
        <NumberField
          value={info?.port ?? port.value ?? usual}
          digits={0}
          low={0}
          high={65535}
          tip="Port that the sender sends to"
          disabled={info !== null}
          onChange={(next) => {
            port.value = next
          }}
        />
      </div>
      {sent?.called && (
        <div class="field">
          <span>Phone</span>
          <input
            class="text-input live-host"
            type="text"
            aria-label="Address of the phone that is asked to send"
            data-tip="The address that the app shows: the phone is asked to send to this machine. Empty where the app is told the address above"
            placeholder="such as 192.168.1.30"
            value={phone.value}
            disabled={info !== null}
            onChange={(event) => {
              phone.value = event.currentTarget.value
            }}
          />
        </div>
      )}
    </Section>
  )
}

function SourcesSection({ info }: { info: LiveInfo }) {
  const freeze = (
    <span class="actions">
      <Button
        icon="pause"
        label="Freeze"
        pressed={info.frozen}
        tip="Let the face stand still. Going through a clip does so, too"
        onClick={() => act({ type: 'AdjustLive', frozen: !info.frozen })}
      />
    </span>
  )
  return (
    <Section title="Senders" aside={freeze}>
      {info.sources.length === 0 && <p class="empty">Nobody has sent a face yet.</p>}
      <ul class="live-sources" role="listbox" aria-label="Whose face is shown">
        {info.sources.map((each) => (
          <li key={each.name} role="option" aria-selected={each.name === info.source}>
            <button
              type="button"
              data-tip={`Show the face of ${each.name}, at ${each.address}`}
              onClick={() => act({ type: 'ChooseLiveSource', source: each.name })}
            >
              <b>{each.name}</b>
              <span class="faint">{sourceWords(each)}</span>
            </button>
          </li>
        ))}
      </ul>
      {info.source && <p class="fact faint">{milliseconds(info.latency)} from a packet to the page</p>}
      {info.bad > 0 && <p class="fact faint">{badWords(info)}</p>}
    </Section>
  )
}

function ActorSection({ info }: { info: LiveInfo }) {
  const forget = (
    <span class="actions">
      <Button
        icon="reset"
        tip="Show the face as it comes"
        disabled={info.calibrated === 'none'}
        onClick={() => act({ type: 'CalibrateLive', what: 'none' })}
      />
    </span>
  )
  const words = {
    none: 'Hold still and press Rest. Then move every part of the face as far as it goes, and press Range.',
    rest: 'Rest is known. Move every part of the face as far as it goes, and press Range.',
    range: 'Rest and range are known.',
  }
  return (
    <Section title="Actor" aside={forget}>
      <div class="live-two">
        <Button
          label="Rest"
          pressed={info.calibrated !== 'none'}
          tip="This is the face at rest: the last half second counts"
          onClick={() => act({ type: 'CalibrateLive', what: 'rest' })}
        />
        <Button
          label="Range"
          pressed={info.calibrated === 'range'}
          disabled={info.calibrated === 'none'}
          tip="All of the range was shown since Rest: its ends are the sliders' ends from now on"
          onClick={() => act({ type: 'CalibrateLive', what: 'range' })}
        />
      </div>
      <p class="fact faint">{words[info.calibrated]}</p>
      <div class="field">
        <span>Smooth</span>
        <Range
          value={info.smooth}
          low={0}
          high={1}
          label="How much the face is smoothed"
          tip="0: as it comes. More calms what trembles, and follows fast motion still (One Euro filter)"
          onChange={(smooth) => act({ type: 'AdjustLive', smooth })}
        />
      </div>
    </Section>
  )
}
