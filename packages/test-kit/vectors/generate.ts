// Writes the vector files beside it: `node packages/test-kit/vectors/generate.ts`. A test compares
// the files with its output, so they are never edited by hand.
import { writeFileSync } from 'node:fs'
import { buildChartVectors } from './chart-vectors.ts'
import { buildIdTokenVectors } from './id-token-vectors.ts'
import { buildStateVectors } from './state-vectors.ts'

const write = (name: string, data: object): void =>
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(data, null, 2)}\n`)

write('chart.json', buildChartVectors())
write('id-token.json', buildIdTokenVectors())
write('state.json', buildStateVectors())
