/** The features fit together. That they can be imported here, without a browser, shows that importing runs nothing. */
import { expect, test } from 'vitest'
import docs from '../../../docs/animating.md?raw'
import { remembered } from '../core/view'
import { FEATURES } from './features'
import { TABS } from './tabs'
import { TOOLS } from './tools'

const twice = (names: readonly string[]) => names.filter((name, i) => names.indexOf(name) !== i)

test('no two features use the same name for the same kind of thing', () => {
  expect(twice(FEATURES.map(({ name }) => name))).toEqual([])
  expect(twice(TABS.map(({ key }) => key))).toEqual([])
  expect(twice(TOOLS.map(({ name }) => name))).toEqual([])
  expect(twice(FEATURES.flatMap(({ watched }) => Object.keys(watched ?? {})))).toEqual([])
  const signals = [remembered, ...FEATURES.map((feature) => feature.remembered ?? {})]
  expect(twice(signals.flatMap((each) => Object.keys(each)))).toEqual([])
})

test('every section is in a tab, and every tab has a section', () => {
  const sections = FEATURES.flatMap((feature) => feature.sections ?? [])
  const keys = TABS.map(({ key }) => key)
  expect(sections.filter(({ tab }) => tab !== '*' && !keys.includes(tab))).toEqual([])
  expect(keys.filter((key) => !sections.some(({ tab }) => tab === key))).toEqual([])
})

test('of shortcuts with the same keys at most one has no condition', () => {
  const always = FEATURES.flatMap((feature) => feature.shortcuts ?? []).filter(({ when }) => !when)
  expect(twice(always.map(({ keys }) => keys))).toEqual([])
})

/** The keys in the first column of a section's table, as shortcuts have them; not what is held in a drag. */
function keysIn(section: string): string[] {
  const page = docs.split('\n## ').find((each) => each.startsWith(section))!
  const cells = page.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split('|')[1] : []))
  return cells
    .filter((cell) => !cell.includes(' held'))
    .flatMap((cell) => [...cell.replace(/`[^`]+`\+/g, '').matchAll(/`([^`]+)`/g)].map(([, keys]) => keys))
    .map((keys) => keys.replace(/\b(Up|Down|Left|Right)$/, 'Arrow$1'))
}

test('the shortcuts in the docs are those of the page, and every shortcut of time is among them', () => {
  const written = [...keysIn('Shortcuts'), ...keysIn('The camera')]
  const all = FEATURES.flatMap((feature) => feature.shortcuts ?? [])
  const known = all.map(({ keys }) => keys)
  expect(written.length).toBeGreaterThan(40)
  expect(written.filter((keys) => !known.includes(keys))).toEqual([])
  const ofTime = all.filter(({ group }) => group === 'Time').map(({ keys }) => keys)
  expect(ofTime.filter((keys) => !written.includes(keys))).toEqual([])
})
