import { openness, type Openness } from './occlusion'

self.onmessage = (event: MessageEvent<Openness>) => {
  self.postMessage(openness(event.data))
}
