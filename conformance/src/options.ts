// The command line and the environment: parser of every option. Pure; command.ts acts on the
// result, and help.ts has the text.
import { parseArgs } from 'node:util'
import { type Credentials, SANDBOX_EMAIL } from './chartside-api.ts'
import { isLoopback } from './http-client.ts'

export interface GivenClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

export interface Options {
  readonly help: boolean
  readonly list: boolean
  /** The origin of a Chartside service, or the issuer of a peer; absent with help and list. */
  readonly baseUrl: string
  readonly issuer: string
  readonly isPeer: boolean
  readonly only: readonly string[]
  readonly credentials: Credentials
  readonly client: GivenClient | undefined
  readonly otherClient: Omit<GivenClient, 'redirectUri'> | undefined
  readonly accountId: string | undefined
  readonly ehrType: string
  readonly loginScript: string | undefined
  readonly jsonFile: string | undefined
  readonly htmlFile: string | undefined
  readonly allowRemote: boolean
  readonly maxRequests: number
  readonly timeoutSeconds: number
  readonly codeReuseWaitSeconds: number
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const ARGUMENTS = {
  help: { ...FLAG, short: 'h' },
  list: FLAG,
  only: { ...TEXT, multiple: true },
  'base-url': TEXT,
  issuer: TEXT,
  email: TEXT,
  password: TEXT,
  'client-id': TEXT,
  'client-secret': TEXT,
  'redirect-uri': TEXT,
  'other-client-id': TEXT,
  'other-client-secret': TEXT,
  'account-id': TEXT,
  'ehr-type': TEXT,
  'login-script': TEXT,
  json: TEXT,
  html: TEXT,
  'allow-remote': FLAG,
  'max-requests': TEXT,
  'timeout-seconds': TEXT,
  'code-reuse-wait-seconds': TEXT,
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Secrets may stand in the environment, where no list of processes shows them. */
export function parseOptions(
  args: readonly string[],
  environment: Environment,
  sandboxPassword: string,
): Options {
  const { values, positionals } = readArguments(args)
  const text = (name: keyof typeof values & string) => {
    const given =
      values[name] ?? environment[`CONFORMANCE_${name.replaceAll('-', '_').toUpperCase()}`]
    return typeof given === 'string' && given !== '' ? given : undefined
  }
  const { help = false, list = false } = values
  const base = text('base-url')
  const issuer = text('issuer')
  if (!help && !list && base === undefined && issuer === undefined) {
    throw new UsageError('Give --base-url of a Chartside service, or --issuer of another provider.')
  }
  const address = parseAddress(base ?? issuer ?? 'http://localhost')
  const client = parseClient(text)
  if (base === undefined && issuer !== undefined && !client) {
    throw new UsageError('--issuer needs --client-id, --client-secret and --redirect-uri.')
  }
  const otherId = text('other-client-id')
  const otherSecret = text('other-client-secret')
  const isSample = isLoopback(address)
  return {
    help,
    list,
    baseUrl: address.origin,
    issuer: issuer ? trimmed(parseAddress(issuer).href, issuer) : `${address.origin}/app-auth`,
    isPeer: base === undefined,
    only: [...(values.only ?? []).flatMap((names) => names.split(',')), ...positionals],
    credentials: {
      email: text('email') ?? (isSample ? SANDBOX_EMAIL : ''),
      password: text('password') ?? (isSample ? sandboxPassword : ''),
    },
    client,
    otherClient: otherId && otherSecret ? { id: otherId, secret: otherSecret } : undefined,
    accountId: text('account-id'),
    ehrType: text('ehr-type') ?? 'meadow',
    loginScript: text('login-script'),
    jsonFile: text('json'),
    htmlFile: text('html'),
    allowRemote: values['allow-remote'] === true,
    maxRequests: parseNumber('max-requests', text('max-requests'), 3000),
    timeoutSeconds: parseNumber('timeout-seconds', text('timeout-seconds'), 300),
    codeReuseWaitSeconds: parseNumber(
      'code-reuse-wait-seconds',
      text('code-reuse-wait-seconds'),
      30,
    ),
  }
}

/** The issuer as it was given: a slash at the end counts. */
const trimmed = (href: string, given: string) =>
  given.endsWith('/') ? href : href.replace(/\/$/, '')

function parseClient(
  text: (name: 'client-id' | 'client-secret' | 'redirect-uri') => string | undefined,
) {
  const [id, secret, redirectUri] = [text('client-id'), text('client-secret'), text('redirect-uri')]
  if (id === undefined && redirectUri === undefined) return undefined
  if (!id || !secret || !redirectUri) {
    throw new UsageError('--client-id, --client-secret and --redirect-uri belong together.')
  }
  return { id, secret, redirectUri }
}

function parseAddress(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UsageError(`${text} is not an http or https address.`)
}

function parseNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`--${name} takes a positive number, not ${text}.`)
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: ARGUMENTS, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'Unreadable arguments.', {
      cause,
    })
  }
}
