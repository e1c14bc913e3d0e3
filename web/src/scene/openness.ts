/** Finds in a worker how open each vertex lies, so that the page stays quick. */
import type { Openness } from './occlusion'
import { occlusionWorker } from './occlusionWorker'

/** `found` gets the share (n,) of each vertex. Gives a function that stops the search. */
export function findOpenness(
  { positions, normals, triangles }: Openness,
  found: (share: Float32Array) => void,
): () => void {
  const worker = occlusionWorker()
  worker.onmessage = (event: MessageEvent<Float32Array>) => {
    worker.terminate()
    found(event.data)
  }
  worker.postMessage({ positions, normals, triangles })
  return () => worker.terminate()
}
