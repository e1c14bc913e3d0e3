/** What the colours of the cloud mean. */
import { scan } from '../../core/document'
import { rampGradient } from '../../widgets/ramp'
import { cloudTop } from './follow'
import { cloud, cloudShown, scanFrame } from './state'

export function CloudLegend() {
  if (!scan.value?.found || !cloudShown.value || scanFrame.value < 0 || !cloud.value) return null
  return (
    <div class="ramp-legend" data-tip="How far a measured point is from the face in its pose, in millimetres">
      <span>0</span>
      <i style={{ background: rampGradient() }} />
      <span>{cloudTop()} mm</span>
    </div>
  )
}
