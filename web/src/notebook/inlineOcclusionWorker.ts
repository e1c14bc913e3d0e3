/** Starts the worker from its text, which is in the bundle: a widget's script is one file, and has none beside it. */
import Occlusion from '../scene/occlusion.worker.ts?worker&inline'

export const occlusionWorker = () => new Occlusion()
