// What the palette lists for a text: each address once, with where it has led lately before the rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMatches, type PaletteItem } from './palette-items.ts'
import { listRecent, noteRecent } from './recent-items.ts'

const itemOf = (label: string): PaletteItem => ({
  ...({ id: `page ${label}`, label, icon: 'apps' } as const),
  target: { address: `/console/${label}` },
})
const [apps, people, audit] = ['apps', 'people', 'audit'].map(itemOf) as [
  PaletteItem,
  PaletteItem,
  PaletteItem,
]
const labels = (items: readonly PaletteItem[]) => items.map(({ label }) => label)

test('lists first where it has led lately, and each address once', () => {
  for (const item of [audit, people, people]) noteRecent(item)
  const groups = [listRecent(), [apps, people, audit]]
  assert.deepEqual(labels(listMatches('', undefined, groups, [])), ['people', 'audit', 'apps'])
  assert.deepEqual(labels(listMatches('aud', undefined, groups, [audit])), ['audit'])
  for (let n = 0; n < 9; n++) noteRecent(itemOf(`page ${n}`))
  assert.equal(listRecent().length, 5)
})
