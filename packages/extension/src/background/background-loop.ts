// The loop around the rules: loads the state once, applies each event, stores the state before its
// effects run, and shows it. `dispatch` resolves when the effects of the event, and theirs, are done.

import { matchesPattern } from '../match-pattern.ts'
import { decide } from './decide.ts'
import { runEffect } from './effects.ts'
import type { Effect, Event } from './events.ts'
import { createServiceClient, type ServiceClient } from './service.ts'
import type { LoadedState, State } from './state.ts'
import { listPatterns, listTargets } from './tab-rules.ts'

export interface BackgroundOptions {
  readonly load: () => Promise<LoadedState>
  readonly find: () => Promise<Omit<Extract<Event, { type: 'started' }>, 'type'>>
  /** Returns the launches that went into a panel. */
  readonly show: (state: State) => readonly string[]
}

export class Background {
  readonly ready: Promise<void>
  readonly #options: BackgroundOptions
  #state: State | null = null
  #watched: readonly string[] = []
  #save: (state: State) => Promise<void> = async () => {}

  constructor(options: BackgroundOptions) {
    this.#options = options
    this.ready = this.#start()
  }

  /** The state, once `ready` is over. */
  get state(): State {
    if (!this.#state) throw new Error('The state is not loaded yet.')
    return this.#state
  }

  readonly dispatch = async (event: Event): Promise<void> => {
    await (await this.begin(event)).done
  }

  /** Resolves once the event is decided and stored; `done` once its effects are, too. */
  async begin(event: Event): Promise<{ readonly done: Promise<void> }> {
    await this.ready
    const effects = await this.#decide(event)
    return { done: Promise.all(effects.map(this.run)).then(() => {}) }
  }

  /** Asks the service for a panel; changes no state. */
  async ask<Answer>(
    question: (service: ServiceClient, token: string) => Promise<Answer>,
  ): Promise<Answer | { readonly failure: string }> {
    const { signIn } = this.state
    const service = this.#findService()
    if (signIn.kind !== 'in' || !service) return { failure: 'You are signed out.' }
    return question(service, signIn.token).catch((error: Error) => ({ failure: error.message }))
  }

  #findService(): ServiceClient | null {
    const base = this.state.settings?.service
    if (base === undefined) return null
    return connect(base)
  }

  readonly run = (effect: Effect): Promise<void> =>
    runEffect(effect, {
      service: () => this.#findService(),
      connect,
      state: () => this.state,
      dispatch: (event) => this.#apply(event),
    })

  /** Patterns of EHR pages that the last sign-in knew. */
  get watched(): readonly string[] {
    return this.#watched
  }

  /** Whether the address is of an EHR. While the person is signed out, the patterns of the last sign-in decide. */
  isEhr(url: string): boolean {
    if (this.state.signIn.kind === 'in' && this.state.signIn.practices) {
      return listTargets(this.state, url).length > 0
    }
    return this.#watched.some((pattern) => matchesPattern(pattern, url))
  }

  async #start(): Promise<void> {
    const { state, watched, save } = await this.#options.load()
    this.#state = state
    this.#watched = watched
    this.#save = save
    const found = await this.#options.find()
    const effects = await this.#decide({ type: 'started', ...found })
    // Not waited for: they may take as long as a service that is down.
    void Promise.all(effects.map(this.run))
  }

  async #apply(event: Event): Promise<void> {
    const effects = await this.#decide(event)
    await Promise.all(effects.map(this.run))
  }

  async #decide(event: Event): Promise<readonly Effect[]> {
    const before = this.state
    const { state, effects } = decide(before, event)
    this.#state = state
    const { signIn } = state
    if (signIn.kind === 'in' && signIn.practices) this.#watched = listPatterns(signIn.practices)
    const taken = this.#options.show(state)
    if (state !== before) await this.#save(state)
    if (taken.length > 0) await this.#apply({ type: 'launches_taken', launches: taken })
    return effects
  }
}

const connect = (base: string): ServiceClient =>
  createServiceClient(base, (input, init) => fetch(input, init))
