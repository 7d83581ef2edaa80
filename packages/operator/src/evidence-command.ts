// `chartside evidence`: collects into one file what an auditor asks for, without a secret. Verifies the
// audit trails on the way. docs/operate/compliance.md says which paragraph each part answers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { collectEvidence, type Evidence } from './evidence/collect.ts'
import type { Output } from './output.ts'

/** The SBOM of the installed package, the image, and the repository after `npm run tool -- supply-chain`. */
const SBOMS = [
  join(import.meta.dirname, '../sbom.cdx.json'),
  join(import.meta.dirname, '../../../../../sbom.cdx.json'),
  '.chartside/sbom/chartside-server.cdx.json',
]

interface Options extends Output {
  readonly sbom?: string
  readonly addresses: boolean
}

export const evidenceCommand = (context: CliContext) =>
  new Command('evidence')
    .description(
      'Collects what an auditor asks for into one file (JSON): configuration without secrets, schema, keys, ' +
        'users with roles and second factors, session policy, audit trails verified, backups, retention, ' +
        'transport, SBOM. Exits with 1 when a trail is not whole. docs/operate/compliance.md explains each part.',
    )
    .argument('[file]', 'the file to make; nothing is overwritten')
    .option('--json', 'print it in place of the file')
    .option('--no-addresses', 'leave out the e-mail addresses of users; their ids stay')
    .option('--sbom <file>', 'the SBOM of the service; by default that of the package')
    .action(async (path: string | undefined, { json, sbom, addresses }: Options) => {
      if ((path === undefined) === (json === undefined)) {
        throw new CommandFailed('Name the file to make, or say --json to print it.')
      }
      const config = loadConfig(context)
      await withDatabase(openConfigured(config), async (db) => {
        const evidence = await collectEvidence(context, {
          db,
          config,
          version: manifest.version,
          nodeVersion: process.version,
          sbom: (sbom === undefined ? SBOMS : [sbom]).map(hashOf).find((one) => one),
          hasAddresses: addresses,
        })
        const text = `${JSON.stringify(evidence, null, 2)}\n`
        const sha256 = createHash('sha256').update(text).digest('hex')
        if (path !== undefined) await writeNew(path, text)
        const target = 'installation'
        await auditAction(context, db, { action: 'collectEvidence', target, detail: { sha256 } })
        if (json) context.print(text.trimEnd())
        else summarize(context, evidence, `${path}, SHA-256 ${sha256}`)
        requireWholeTrails(evidence)
      })
    })

/** Returns undefined when the optional file is missing. */
function hashOf(path: string): { path: string; sha256: string } | undefined {
  try {
    return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
  } catch {
    return undefined
  }
}

/** @throws CommandFailed when the file is there already, or cannot be written */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailed(
      cause.code === 'EEXIST'
        ? `${path} is there already. Choose another name.`
        : `${path} cannot be written: ${cause.message}.`,
      { cause },
    )
  })
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function summarize({ print, note }: CliContext, evidence: Evidence, made: string): void {
  const { users, administrators, audit, backups, software, schema } = evidence
  const active = users.filter(({ isDisabled }) => !isDisabled)
  const withFactor = active.filter(({ secondFactor }) => secondFactor === 'on')
  const whole = audit.trails.filter(({ isWhole }) => isWhole)
  print(`Wrote ${made}.`)
  print(`Audit trails: ${whole.length} of ${audit.trails.length} are whole.`)
  print(
    `Users: ${active.length} active, ${withFactor.length} with a second factor, ${administrators.platform.length} administrators of the platform.`,
  )
  print(`Schema: version ${schema.version}, ${schema.pending} pending.`)
  print(
    backups.lastBackupAt === null
      ? 'Backups: chartside db backup has recorded none.'
      : `Backups: the last one ${backups.lastBackupAgeDays} days ago.`,
  )
  if (!software.sbom)
    note('Without an SBOM: run npm run tool -- supply-chain first, or name one with --sbom.')
}

/** Runs after the file is written, because a broken trail is evidence too. */
function requireWholeTrails({ audit }: Evidence): void {
  const bad = audit.trails.filter(({ isWhole }) => !isWhole)
  if (bad.length === 0) return
  const lines = bad.flatMap(({ accountId, problems }) =>
    problems.map((problem) => `${accountId}: ${problem}`),
  )
  throw new CommandFailed(`A trail is NOT whole:\n  ${lines.join('\n  ')}`)
}
