/** The shadow of the key light, which hangs on the camera. */
import {
  DepthTexture,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  OrthographicCamera,
  WebGLRenderTarget,
  type Camera,
  type Scene,
  type Vector3,
  type WebGLRenderer,
} from 'three'

const SIZE = 1024
const REACH = 0.62 // the face fits into a ball of this radius, posed and all

export class Shadow {
  readonly toShadow = new Matrix4()
  readonly texture: DepthTexture
  private readonly target: WebGLRenderTarget
  private readonly lamp = new OrthographicCamera(-REACH, REACH, REACH, -REACH, 0.1, 2 * REACH + 1.5)

  constructor() {
    this.texture = new DepthTexture(SIZE, SIZE)
    this.texture.compareFunction = LessEqualCompare
    this.texture.minFilter = this.texture.magFilter = LinearFilter
    this.target = new WebGLRenderTarget(SIZE, SIZE, { depthTexture: this.texture })
  }

  /** `key` is where the key light comes from, as the camera sees it. */
  draw(renderer: WebGLRenderer, scene: Scene, camera: Camera, key: Vector3): void {
    this.lamp.position
      .copy(key)
      .applyQuaternion(camera.quaternion)
      .multiplyScalar(REACH + 0.8)
    this.lamp.up.set(0, 1, 0)
    this.lamp.lookAt(0, 0, 0)
    this.lamp.updateMatrixWorld()
    this.toShadow.multiplyMatrices(this.lamp.projectionMatrix, this.lamp.matrixWorldInverse)
    renderer.setRenderTarget(this.target)
    renderer.clear()
    renderer.render(scene, this.lamp)
    renderer.setRenderTarget(null)
  }
}
