// What a test of the command runs on: an empty folder, and everything that was printed. No
// terminal, and packages from the registry, unless a test changes that.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { create, type Environment } from '../src/create.ts'

export function openFixture(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'chartside-place-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const cwd = join(root, 'here')
  mkdirSync(cwd)
  const output: string[] = []
  const environment: Environment = {
    cwd,
    ask: undefined,
    pack: undefined,
    print: (text) => void output.push(text),
    printError: (text) => void output.push(text),
    nodeVersion: 'v24.0.0',
    signal: new AbortController().signal,
  }
  return {
    cwd,
    run: (args: string, changes: Partial<Environment> = {}) =>
      create(args.split(' ').filter(Boolean), { ...environment, ...changes }),
    output: () => output.join(''),
    /** Every file and folder, those beside `cwd` too. */
    list: () => readdirSync(root, { recursive: true }).sort(),
  }
}
