// `chartside logs`: the launches that a developer may see, one line each, as the console lists them. With --tail
// it goes on with what comes, over outages and the end of a sign-in, until Ctrl-C. Reads by the public API of
// a service and opens no database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Launch } from '@chartside/protocol/launch'
import type { User } from '@chartside/protocol/payloads'
import { Command, InvalidArgumentError } from 'commander'
import { type CliContext, CommandFailed } from './context.ts'
import { describeEntry, LaunchLog, type LogEntry } from './logs/launch-log.ts'
import {
  askService,
  Outage,
  parseServiceUrl,
  requireOk,
  SignInEnded,
  signInByBrowser,
} from './logs/service-client.ts'
import { type Output, printResult, withJson } from './output.ts'

const POLL_MS = 1000
const MAX_WAIT_MS = 15_000
const MAX_LINES = 200
/** The pages that one poll reads at most; a busier app shows its newest launches. */
const MAX_PAGES = 10

interface Options extends Output {
  readonly tail?: true
  readonly failed?: true
  readonly url?: string
  readonly app?: string
  readonly lines: number
}

interface Page {
  readonly items: readonly Launch[]
  readonly nextCursor: string | null
  readonly hidden?: true
}

const HELP = `
The key is a developer key (dk_…) in CHARTSIDE_DEVELOPER_KEY. You make one in the console,
on Settings, Developer keys. CHARTSIDE_SESSION_TOKEN takes a session token. Without either the
command shows an address at which you sign in with a browser, and signs out at its end.
You see the launches that the console shows you: those of your apps as a developer.

Examples:
  chartside logs --tail --url https://chartside.example
  chartside logs --tail --failed --json | jq .cause
`

export const logsCommand = (context: CliContext) =>
  withJson(new Command('logs'))
    .description('Prints launches, one line each: time, outcome, app, cause and trace id.')
    .option('--tail', 'go on with what comes, until Ctrl-C; with --json one document a line')
    .option('--failed', 'failed launches only')
    .option('--app <id>', 'launches of this app only')
    .option('--lines <count>', 'how many of the past', parseLines, 20)
    .option('--url <address>', 'the service, staging or production (default: CHARTSIDE_BASE_URL)')
    .addHelpText('after', HELP)
    .action((options: Options) => showLogs(context, options))

function parseLines(text: string): number {
  const lines = Number(text)
  if (Number.isInteger(lines) && lines >= 1 && lines <= MAX_LINES) return lines
  throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LINES}.`)
}

async function showLogs(context: CliContext, options: Options): Promise<void> {
  const reader = new LaunchReader(context, options)
  try {
    const first = await reader.begin()
    if (!options.tail) {
      const text = first.map(describeEntry).join('\n')
      return printResult(context, options, { items: first }, text || 'There are no launches.')
    }
    await follow(context, options, reader, first)
  } catch (error) {
    // Ctrl-C is how a tail ends.
    if (!context.signal.aborted) throw error instanceof Outage ? unreachable(error) : error
  } finally {
    await reader.end()
  }
}

const unreachable = (outage: Outage) =>
  new CommandFailed(`${outage.message}. Look at --url, or try again later.`, { cause: outage })

async function follow(
  context: CliContext,
  { json }: Options,
  reader: LaunchReader,
  first: readonly LogEntry[],
): Promise<never> {
  let entries = first
  let outages = 0
  let waitMs = POLL_MS
  for (;;) {
    for (const entry of entries) context.print(json ? JSON.stringify(entry) : describeEntry(entry))
    await sleep(waitMs, undefined, { signal: context.signal })
    try {
      entries = await reader.readNew()
      if (outages > 0) context.note('Connected again.')
      outages = 0
      waitMs = POLL_MS
    } catch (error) {
      if (!(error instanceof Outage)) throw error
      if (outages === 0) context.note(`${error.message}. Trying again until it does.`)
      entries = []
      outages += 1
      waitMs = Math.min(error.retryAfterMs ?? waitMs * 2, MAX_WAIT_MS)
    }
  }
}

/** The developer key, else the session token, of the environment. @throws CommandFailed for another kind */
function parseKey({ env }: Pick<CliContext, 'env'>): GivenKey | undefined {
  const key = env.CHARTSIDE_DEVELOPER_KEY
  const token = env.CHARTSIDE_SESSION_TOKEN
  if (key) return requireKind('CHARTSIDE_DEVELOPER_KEY', key, 'dk_', 'developer key')
  if (token === undefined) return undefined
  return requireKind('CHARTSIDE_SESSION_TOKEN', token, 'st_', 'session token')
}

function requireKind(
  name: GivenKey['name'],
  value: string,
  prefix: string,
  kind: string,
): GivenKey {
  if (value.startsWith(prefix)) return { name, value }
  throw new CommandFailed(
    `${name} is no ${kind} (${prefix}…). A client secret or an access token reads no launches: make a developer key in the console, or leave the variable out to sign in with a browser.`,
  )
}

interface GivenKey {
  readonly name: 'CHARTSIDE_DEVELOPER_KEY' | 'CHARTSIDE_SESSION_TOKEN'
  readonly value: string
}

/** Reads the launches of a service, and signs in when that is needed. */
class LaunchReader {
  readonly #context: CliContext
  readonly #options: Options
  readonly #base: string
  readonly #log = new LaunchLog()
  readonly #given: GivenKey | undefined
  #token = ''

  /** @throws CommandFailed for a key of another kind */
  constructor(context: CliContext, options: Options) {
    this.#context = context
    this.#options = options
    this.#base = parseServiceUrl(options.url ?? context.env.CHARTSIDE_BASE_URL)
    this.#given = parseKey(context)
  }

  async begin(): Promise<LogEntry[]> {
    this.#token = this.#given?.value ?? (await signInByBrowser(this.#context, this.#base))
    const page = await this.#list({ limit: String(this.#options.lines) })
    if (page.items.length === 0) await this.#explainNone(page)
    return this.#receive(page.items)
  }

  /** A new app has no launches; an app of others, and launches of others, are a refusal. */
  async #explainNone({ hidden }: Page): Promise<void> {
    const { app } = this.#options
    if (app !== undefined) await this.#ask(`/api/apps/${encodeURIComponent(app)}`)
    if (!hidden) return
    const { role, memberships } = await this.#ask<User>('/api/users/me')
    if (role !== 'member' || memberships.some((one) => one.role !== 'provider')) return
    throw new CommandFailed(
      'Your role shows you your own launches only, and there are none. Ask an administrator of the account that owns the app to make you a developer of it.',
    )
  }

  async readNew(): Promise<LogEntry[]> {
    const { from } = this.#log
    const launches: Launch[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page: Page = await this.#list({
        limit: '100',
        ...(from === undefined ? {} : { from }),
        ...(cursor === null ? {} : { cursor }),
      })
      launches.push(...page.items)
      cursor = page.nextCursor
      if (cursor === null || from === undefined) break
    }
    return this.#receive(launches)
  }

  /** Ends the sign-in that this command began. */
  async end(): Promise<void> {
    if (this.#given !== undefined || this.#token === '') return
    const signal = AbortSignal.timeout(MAX_WAIT_MS)
    const url = `${this.#base}/auth/sign-out`
    await askService({ signal }, url, this.#token, 'POST').catch(() => undefined)
  }

  #receive(launches: readonly Launch[]): LogEntry[] {
    const entries = this.#log.receive(launches, this.#context.clock())
    return this.#options.failed ? entries.filter(({ outcome }) => outcome === 'failed') : entries
  }

  #list(query: Readonly<Record<string, string>>): Promise<Page> {
    const { app } = this.#options
    const all = { ...query, ...(app === undefined ? {} : { appId: app }) }
    return this.#ask(`/api/launches?${new URLSearchParams(all)}`)
  }

  async #ask<Reply>(path: string): Promise<Reply> {
    try {
      const answer = await askService<Reply>(this.#context, `${this.#base}${path}`, this.#token)
      return requireOk(answer, 'Look at --app, and at your role in the account of the app.')
    } catch (error) {
      if (!(error instanceof SignInEnded)) throw error
      if (this.#given?.name === 'CHARTSIDE_DEVELOPER_KEY') {
        throw new CommandFailed(
          `${error.message} Put a key that works here into CHARTSIDE_DEVELOPER_KEY: the console of this service makes one on Settings, Developer keys.`,
        )
      }
      const what = `Your sign-in is not, or no longer, valid: ${error.message}`
      if (this.#given !== undefined) {
        throw new CommandFailed(`${what} Set CHARTSIDE_SESSION_TOKEN to that of a new sign-in.`)
      }
      this.#context.note(what)
      this.#token = await signInByBrowser(this.#context, this.#base)
      return this.#ask(path)
    }
  }
}
