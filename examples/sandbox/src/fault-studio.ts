// Plays faults against the apps of the sandbox, one run at a time, for the page Fault studio. A run starts the
// app a second time with a service of its own; the runs are kept beside the app, as those of the command.
import type { StudioApp, StudioCalls, StudioState } from '@chartside/example-sample-ehr'
import { compareRuns, FAULT_NAMES, RunFolder, runFaults, runIdOf } from '@chartside/faults'
import type { PlayedFault } from '@chartside/protocol/fault-grade'
import type { Run } from '@chartside/protocol/fault-run'
import type { AppPlace } from './places.ts'

interface Playing {
  readonly app: StudioApp
  readonly total: number
  readonly names: Set<string>
  readonly done: PlayedFault[]
  readonly stopping: AbortController
  over: Promise<void>
}

export class FaultStudio implements StudioCalls {
  readonly #places: readonly AppPlace[]
  readonly #log: (text: string) => void
  #playing: Playing | null = null
  /** The problems by slug, of the last run that could not be made. */
  readonly #problems = new Map<string, string>()

  constructor(places: readonly AppPlace[], log: (text: string) => void) {
    this.#places = places
    this.#log = log
  }

  async read(slug: string, runId: string | undefined): Promise<StudioState | null> {
    const place = this.#find(slug)
    const apps = this.#places.map(nameOf)
    const common = { apps, playing: this.#progress(), problem: this.#problems.get(slug) ?? null }
    // Without an app the page offers all of them.
    if (!place) return slug === '' ? { ...common, runs: [], shown: null } : null
    const folder = new RunFolder(place.manifest.directory)
    const kept = await folder.list()
    const run = runId === undefined ? kept[0] : kept.find((one) => runIdOf(one) === runId)
    if (!run && runId !== undefined) return null
    return {
      ...common,
      runs: kept.map((one) => ({
        id: runIdOf(one),
        startedAt: one.startedAt,
        title: titleOf(one),
      })),
      shown: run ? await show(folder, run) : null,
    }
  }

  start(slug: string, only: readonly string[]): boolean {
    const place = this.#find(slug)
    if (!place || this.#playing) return false
    const playing: Playing = {
      ...{
        app: nameOf(place),
        total: only.length || FAULT_NAMES.length,
        names: new Set(),
        done: [],
      },
      ...{ stopping: new AbortController(), over: Promise.resolve() },
    }
    this.#playing = playing
    this.#problems.delete(slug)
    playing.over = this.#play(place, only, playing)
    return true
  }

  stop(): void {
    this.#playing?.stopping.abort(new Error('The run was stopped.'))
  }

  /** Stops the run at the end of the sandbox, and waits until the app of the run is gone. */
  async end(): Promise<void> {
    this.stop()
    await this.#playing?.over
  }

  async #play({ manifest }: AppPlace, only: readonly string[], playing: Playing): Promise<void> {
    const { names, done, app } = playing
    this.#log(`faults are played against ${app.name}`)
    try {
      const run = await runFaults({
        ...{ app: manifest.directory, only, env: process.env, signal: playing.stopping.signal },
        onBegin: (name) => void names.add(name),
        onFault: (fault) => {
          names.delete(fault.name)
          done.push(fault)
        },
      })
      await new RunFolder(manifest.directory).save(run)
      this.#log(`${app.name}: grade ${run.grade.level}, ${run.grade.points} of 100`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#problems.set(app.slug, message)
      this.#log(`no grade of ${app.name}: ${message}`)
    }
    this.#playing = null
  }

  #progress(): StudioState['playing'] {
    if (!this.#playing) return null
    const { app, total, names, done } = this.#playing
    return { app, total, names: [...names], done }
  }

  #find(slug: string): AppPlace | undefined {
    return this.#places.find(({ manifest }) => manifest.slug === slug)
  }
}

const nameOf = ({ manifest: { slug, registration } }: AppPlace): StudioApp => ({
  ...{ slug, name: registration.name },
})

const titleOf = ({ grade, faults }: Run): string =>
  `${grade.level}, ${grade.points} of 100, ${faults.length === 1 ? faults[0]?.name : `${faults.length} faults`}`

async function show(folder: RunFolder, run: Run): Promise<StudioState['shown']> {
  const before = await folder.findBefore(run)
  return { id: runIdOf(run), run, before: before ? compareRuns(before, run) : null }
}
