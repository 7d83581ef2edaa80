// The runs of an app, kept as JSON beside it: `.chartside/fault-runs`. Command and sandbox read and write the
// same folder. Holds the newest ones only.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '@chartside/protocol/fault-run'

const MAX_RUNS = 50
const NAME = /^\d{4}-\d{2}-\d{2}T[\dZ-]+$/

/** Returns the id from its start, so that names sort by time. */
export const runIdOf = ({ startedAt }: Pick<Run, 'startedAt'>): string =>
  startedAt.replaceAll(/[:.]/g, '-')

export class RunFolder {
  readonly #path: string

  /** @example const runs = await new RunFolder('.').list() */
  constructor(directory: string) {
    this.#path = join(directory, '.chartside', 'fault-runs')
  }

  /** @throws Error of Node.js when the folder takes no file */
  async save(run: Run): Promise<void> {
    await mkdir(this.#path, { recursive: true })
    await writeFile(this.#fileOf(runIdOf(run)), JSON.stringify(run, null, 2))
    const old = (await this.#listIds()).slice(MAX_RUNS)
    await Promise.all(old.map((id) => rm(this.#fileOf(id), { force: true })))
  }

  /** Lists the runs, newest first. A file that is no run is left out. */
  async list(): Promise<readonly Run[]> {
    const runs = await Promise.all((await this.#listIds()).map((id) => this.find(id)))
    return runs.filter((run) => run !== undefined)
  }

  async find(id: string): Promise<Run | undefined> {
    if (!NAME.test(id)) return
    const text = await readFile(this.#fileOf(id), 'utf8').catch(() => '')
    try {
      return JSON.parse(text) as Run
    } catch {
      return
    }
  }

  /** The newest earlier run that played all of these faults. */
  async findBefore({ startedAt, faults }: Run): Promise<Run | undefined> {
    const isWider = (run: Run): boolean => {
      const names = new Set(run.faults.map(({ name }) => name))
      return run.startedAt < startedAt && faults.every(({ name }) => names.has(name))
    }
    return (await this.list()).find(isWider)
  }

  #fileOf(id: string): string {
    return join(this.#path, `${id}.json`)
  }

  async #listIds(): Promise<readonly string[]> {
    const files = await readdir(this.#path).catch(() => [])
    const ids = files.map((file) => file.replace(/\.json$/, ''))
    return ids
      .filter((id) => NAME.test(id))
      .toSorted()
      .toReversed()
  }
}
