/** What draws: a graphics card, or the processor in its place. */

// ANGLE and Mesa name what they draw with; Windows calls its own (WARP) a basic render driver.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether a renderer of this name is the processor. */
export const isSoftware = (renderer: string) => SOFTWARE.test(renderer)

let known: boolean | null = null

/** Whether the processor draws here. */
export function drawsInSoftware(): boolean {
  known ??= isSoftware(rendererName())
  return known
}

/** Samples of anisotropic filtering. Without a graphics card each costs as much as the first. */
export const anisotropy = () => (drawsInSoftware() ? 1 : 8)

/** Called before the first lasting context is made, whose multisampling depends on it. */
function rendererName(): string {
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) return ''
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return name
}
