/** Another clip is shown from its beginning to its end, and another document is played from end to end. */
import { effect } from '@preact/signals'
import { clipName, opened, whenAnotherOpens } from '../../core/document'
import { fitAll } from './actions'
import { loopRange } from './state'

export function showAllOfAnother(): void {
  effect(() => {
    void opened.value
    void clipName.value
    fitAll()
  })
  whenAnotherOpens(() => {
    loopRange.value = []
  })
}
