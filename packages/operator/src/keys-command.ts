// `chartside keys`: lists the keys of ID tokens, rotates them, withdraws a leaked one, and seals them
// with a new master key. Shows thumbprints and times, never a key. docs/operate/keys.md says when to use
// which.

import { type Database, readDatabaseTime } from '@chartside/server/operator/database'
import {
  applyPlan,
  decideKeyState,
  decidePublishedUntil,
  type KeyContext,
  type KeyPlan,
  keyTimesOf,
  listSigningKeys,
  masterKeysOf,
  planRotation,
  planWithdrawal,
  reseal,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  sealedWith,
} from '@chartside/server/operator/keys'
import { type Config, rfc3339 } from '@chartside/server/operator/runtime'
import { Command, Option } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'
import { formatTable, formatTime } from './table.ts'

interface Change extends Output {
  readonly dryRun?: true
}

interface Rotation {
  readonly afterSeconds?: number
  readonly alg: SigningAlgorithm
}

export function keysCommand(context: CliContext): Command {
  const withKeys = (work: (keys: KeyContext) => Promise<void>) => {
    const config = loadConfig(context)
    return withDatabase(openConfigured(config), async (db) =>
      work(await buildKeyContext(context, config, db)),
    )
  }
  const keys = new Command('keys').description('The keys that sign ID tokens, and the master key.')
  withJson(keys.command('list'))
    .description('Every signing key: its state, when it signs, until when verifiers see it.')
    .action((output: Output) => withKeys((keyContext) => list(context, keyContext, output)))
  withJson(keys.command('rotate'))
    .description('Makes the next key sign once every verifier can have it; creates it if needed.')
    .option('--after-seconds <n>', 'not before so many seconds', parseSeconds)
    .addOption(
      new Option('--alg <alg>', 'the keys of this algorithm')
        .choices(SIGNING_ALGORITHMS)
        .default('RS256' satisfies SigningAlgorithm),
    )
    .option('--dry-run', 'only show what would happen')
    .action(({ afterSeconds, alg, ...options }: Change & Rotation) =>
      withKeys(async (keyContext) => {
        const afterMs =
          afterSeconds === undefined ? keyContext.times.prepublishMs : afterSeconds * 1000
        await perform(context, keyContext, await planRotation(keyContext, alg, afterMs), options)
      }),
    )
  withJson(keys.command('revoke <kid>'))
    // A thumbprint may begin with a hyphen, and is no option then.
    .allowUnknownOption()
    .description(
      'Emergency: takes a key out of use at once. ID tokens that it signed fail from then on.',
    )
    .option('--dry-run', 'only show what would happen')
    .action((kid: string, options: Change) =>
      withKeys(async (keyContext) => {
        const plan = await planWithdrawal(keyContext, kid)
        if (!plan)
          throw new CommandFailed(`No key ${kid} is in use. chartside keys list shows all.`)
        await perform(context, keyContext, plan, options)
      }),
    )
  withJson(keys.command('reseal'))
    .description('Seals everything with CHARTSIDE_MASTER_KEY that the previous one sealed.')
    .option('--dry-run', 'only show what would happen')
    .action(({ dryRun, ...output }: Change) =>
      withKeys(async (keyContext) => {
        const names = await reseal(keyContext, dryRun === true)
        if (!dryRun && names.length > 0) {
          const detail = { sealed: String(names.length), masterKey: keyContext.masters.current.id }
          await auditAction(context, keyContext.db, {
            action: 'resealKeys',
            target: 'keys',
            detail,
          })
        }
        const masterKey = keyContext.masters.current.id
        const lines = names.map((name) => `${dryRun ? 'Would seal' : 'Sealed'} ${name} again.`)
        lines.push(
          names.length === 0
            ? `Everything is sealed with master key ${masterKey}; the previous one is not needed.`
            : `${names.length} under master key ${masterKey}.`,
        )
        const record = { dryRun: dryRun === true, sealed: names, masterKey }
        printResult(context, output, record, lines.join('\n'))
      }),
    )
  return keys
}

/** Takes the time from the database, as the nodes do: the clock of this machine may be wrong. */
async function buildKeyContext(
  { randomness }: CliContext,
  config: Config,
  db: Database,
): Promise<KeyContext> {
  const masters = masterKeysOf(config, randomness)
  return { db, masters, randomness, times: keyTimesOf(config), now: await readDatabaseTime(db) }
}

function parseSeconds(text: string): number {
  if (!/^\d{1,8}$/.test(text))
    throw new CommandFailed(`--after-seconds must be a number, not ${text}.`)
  return Number(text)
}

async function list(context: CliContext, keyContext: KeyContext, output: Output): Promise<void> {
  const { db, now, times } = keyContext
  const keys = await listSigningKeys(db)
  const found = keys.map((key) => ({
    ...key,
    state: decideKeyState(keys, key, now, times),
    publishedUntil: key.retiredAt ?? decidePublishedUntil(keys, key, times),
    masterKey: sealedWith(key.sealed),
  }))
  const rows = found.map((key) => [
    key.kid,
    key.alg,
    key.state,
    formatTime(key.createdAt),
    formatTime(key.signsFrom),
    key.publishedUntil === undefined ? '' : formatTime(key.publishedUntil),
    key.masterKey,
  ])
  const heading = [
    'kid',
    'algorithm',
    'state',
    'published from',
    'signs from',
    'published until',
    'master key',
  ]
  const shown = found.map(({ kid, alg, generation, state, masterKey, ...key }) => ({
    ...{ kid, alg, generation, state, masterKey },
    createdAt: rfc3339(key.createdAt),
    signsFrom: rfc3339(key.signsFrom),
    publishedUntil: key.publishedUntil === undefined ? null : rfc3339(key.publishedUntil),
  }))
  printResult(context, output, shown, formatTable(heading, rows))
}

async function perform(
  context: CliContext,
  keyContext: KeyContext,
  plan: KeyPlan,
  { dryRun, ...output }: Change,
): Promise<void> {
  const isDryRun = dryRun === true
  const { withdraw, next } = plan
  const at = next.signsFrom <= keyContext.now ? 'now' : `${formatTime(next.signsFrom)} UTC`
  const kid = isDryRun ? (next.kid ?? 'a new key') : await applyPlan(keyContext, plan)
  if (!isDryRun) {
    await auditAction(context, keyContext.db, {
      action: withdraw === undefined ? 'rotateKeys' : 'revokeKey',
      target: withdraw ?? kid,
      detail: { next: kid, signsFrom: `${formatTime(next.signsFrom)} UTC` },
    })
  }
  const lines = [`${isDryRun ? 'Would sign' : 'Signs'} from ${at}: ${kid}.`]
  if (withdraw !== undefined) {
    lines.unshift(`${isDryRun ? 'Would withdraw' : 'Withdrew'} ${withdraw}.`)
    context.note(
      'Nodes follow within two seconds, and their own checks refuse its tokens from then on. App servers\n' +
        'that cache the key set accept them longer: jose and jwks-rsa for ten minutes, @cfworker/jwt until it\n' +
        'is restarted (docs/operate/keys.md). ID tokens live for minutes; restart those servers if that is too long.',
    )
  }
  const record = {
    dryRun: isDryRun,
    withdrawn: withdraw ?? null,
    // A new key has its kid once it is made.
    next: isDryRun ? (next.kid ?? null) : kid,
    signsFrom: rfc3339(next.signsFrom),
  }
  printResult(context, output, record, lines.join('\n'))
}
