/** Plays a sound in step with a clock that is not its own, and short grains of it while one goes through time. */

const GRAIN = 0.09 // seconds of a grain
const FADE = 0.008 // at its ends, so that it does not click
const APART = 0.07 // seconds by which sound and picture may differ before the sound is begun anew

interface Running {
  node: AudioBufferSourceNode
  began: number // of the audio clock
  from: number // seconds of the sound
}

export class SoundPlayer {
  grains = 0 // that were played
  starts = 0 // how often it was begun
  private context: AudioContext | null = null
  private gain: GainNode | null = null
  private buffer: AudioBuffer | null = null
  private running: Running | null = null
  private grain: AudioBufferSourceNode | null = null
  private volume = 1

  /** Take another sound: the bytes of a WAV file; null: none. */
  async load(data: ArrayBuffer | null): Promise<void> {
    this.stop()
    this.buffer = null
    if (!data) return
    // An offline context unpacks before the user has touched the page, when no other may begin.
    this.buffer = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(data)
  }

  get loaded(): boolean {
    return this.buffer !== null
  }

  setVolume(volume: number): void {
    this.volume = volume
    if (this.gain) this.gain.gain.value = volume
  }

  /** Where the sound is that is heard now, in its own seconds; null: nothing is heard. */
  get at(): number | null {
    if (!this.running || !this.context) return null
    return this.running.from + this.context.currentTime - this.running.began
  }

  /** It is a moment of the sound now, and time goes on. */
  follow(at: number): void {
    if (!this.buffer || at < 0 || at >= this.buffer.duration) return this.stop()
    const heard = this.at
    if (heard !== null && Math.abs(heard - at) < APART) return
    this.stop()
    const { context, gain } = this.ready()
    const node = new AudioBufferSourceNode(context, { buffer: this.buffer })
    node.connect(gain)
    // What is begun now is heard some milliseconds later, when the picture is further on.
    const from = at + (context.outputLatency || 0)
    node.start(0, from)
    this.starts += 1
    this.running = { node, began: context.currentTime, from }
  }

  stop(): void {
    this.running?.node.stop()
    this.running = null
  }

  /** A short piece of the sound at a moment. */
  scrub(at: number): void {
    if (!this.buffer || at < 0 || at >= this.buffer.duration) return
    const { context, gain } = this.ready()
    this.grain?.stop()
    const node = new AudioBufferSourceNode(context, { buffer: this.buffer })
    const fade = new GainNode(context, { gain: 0 })
    const now = context.currentTime
    fade.gain.setValueAtTime(0, now)
    fade.gain.linearRampToValueAtTime(1, now + FADE)
    fade.gain.setValueAtTime(1, now + GRAIN - FADE)
    fade.gain.linearRampToValueAtTime(0, now + GRAIN)
    node.connect(fade).connect(gain)
    node.start(0, at, GRAIN)
    this.grain = node
    this.grains += 1
  }

  /** Browsers begin with a context that rests until the user has done something on the page. */
  private ready(): { context: AudioContext; gain: GainNode } {
    this.context ??= new AudioContext({ latencyHint: 'interactive' })
    if (!this.gain) {
      this.gain = new GainNode(this.context, { gain: this.volume })
      this.gain.connect(this.context.destination)
    }
    if (this.context.state === 'suspended') void this.context.resume()
    return { context: this.context, gain: this.gain }
  }
}
