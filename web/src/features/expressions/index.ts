/** Expressions of avatars. */
import { expressions as listed } from '../../core/document'
import type { Feature } from '../feature'
import { ExpressionsSection } from './ExpressionsSection'
import './expressions.css'
import { chosenName, values } from './state'

export const expressions: Feature = {
  name: 'expressions',
  sections: [{ tab: 'poses', Body: ExpressionsSection }],
  deselect() {
    chosenName.value = ''
  },
  watched: {
    get expressions() {
      return listed.value.map(({ name, binds }) => ({ name, binds: binds.length, value: values.value.get(name) }))
    },
  },
}
