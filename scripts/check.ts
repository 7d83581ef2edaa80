// The quick check before every commit: format and lint (Biome), types (both TypeScript projects),
// dead exports (knip), house rules. Runs everything even when something fails, so that one run shows all
// there is to fix. `--fix` lets Biome write.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineScript } from './command-line.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) =>
  fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const { fix: isFixing = false } = defineScript(
  'check',
  'Checks format, lint, types and house rules.',
)
  .option('--fix', 'let Biome write, as npm run format does')
  .parse()
  .opts<{ fix?: boolean }>()

const steps: [string, string, string[]][] = [
  [
    'format and lint',
    bin('biome'),
    ['check', ...(isFixing ? ['--write'] : []), '--error-on-warnings', '.'],
  ],
  ['types: payloads', process.execPath, ['scripts/payload-types.ts']],
  ['types: services and tools', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types: what runs in a page', bin('tsc'), ['-p', 'tsconfig.browser.json']],
  ['dead files and exports', bin('knip'), ['--no-progress', '--no-config-hints']],
  [
    'house rules',
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      'test/house-rules.test.ts',
      'test/words.test.ts',
    ],
  ],
]

let hasFailed = false
for (const [title, command, args] of steps) {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${title} (${seconds} s)\n`)
  if (status !== 0) {
    hasFailed = true
    process.stdout.write(`${stdout}${stderr}\n`)
  }
}
process.exit(hasFailed ? 1 : 0)
