/** Starts the worker from its file beside the page. */
export const occlusionWorker = () => new Worker(new URL('./occlusion.worker.ts', import.meta.url), { type: 'module' })
