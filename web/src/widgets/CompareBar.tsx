/** How two faces on a stage are compared: side by side or split, and how the second one is coloured. */
import type { Layout } from '../scene/stage/cells'
import { Button } from './controls'

interface Props {
  layout: Layout
  colors: boolean
  oneScale: boolean
  words: { beside: string; colors: string; colorsTip: string; oneScale: string }
  onChange(change: { layout?: Layout; colors?: boolean; oneScale?: boolean }): void
}

export const CompareBar = ({ layout, colors, oneScale, words, onChange }: Props) => (
  <div class="float tools" role="toolbar" aria-label="Comparing">
    <Button
      label="Side by side"
      pressed={layout === 'beside'}
      tip={words.beside}
      onClick={() => onChange({ layout: 'beside' })}
    />
    <Button
      label="Split"
      pressed={layout === 'split'}
      tip="Both in one place, with a divider to drag across"
      onClick={() => onChange({ layout: 'split' })}
    />
    <i class="rule" />
    <Button label={words.colors} pressed={colors} tip={words.colorsTip} onClick={() => onChange({ colors: !colors })} />
    <Button
      label="One scale"
      pressed={oneScale}
      disabled={!colors}
      tip={words.oneScale}
      onClick={() => onChange({ oneScale: !oneScale })}
    />
  </div>
)
