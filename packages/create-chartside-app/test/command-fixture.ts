// What a test of the command starts from: an empty place to write in, and everything that was
// printed. Nobody is at a terminal, and the app takes its packages from the registry, unless
// a test says otherwise.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { create, type Surroundings } from '../src/create.ts'

export function openFixture(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'chartside-place-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const cwd = join(root, 'here')
  mkdirSync(cwd)
  const output: string[] = []
  const around: Surroundings = {
    cwd,
    ask: undefined,
    pack: undefined,
    print: (text) => void output.push(text),
    printError: (text) => void output.push(text),
    signal: new AbortController().signal,
  }
  return {
    cwd,
    run: (args: string, changes: Partial<Surroundings> = {}) =>
      create(args.split(' ').filter(Boolean), { ...around, ...changes }),
    output: () => output.join(''),
    /** Every file and folder, those beside `cwd` too. */
    list: () => readdirSync(root, { recursive: true }).sort(),
  }
}
