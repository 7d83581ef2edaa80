// Verifies the audit trail after an upgrade, in which programs of two versions wrote it: as an operator
// exports and verifies it, with an event of every launch and every exchange that was acknowledged.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../process/command.ts'
import type { FlowFact } from './facts.ts'
import type { Findings } from './verify.ts'

/** Events are chained once they have settled for half a minute. */
const CHAINED_WITHIN_MS = 150_000
const ASK_EVERY_MS = 3000
const MAX_NAMED = 5

interface Subject {
  /** Of the nodes. */
  readonly environment: Readonly<Record<string, string>>
  readonly accountId: string
  readonly flows: readonly FlowFact[]
}

export async function verifyTrail(subject: Subject, findings: Findings): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-trail-'))
  try {
    await verifyIn(folder, subject, findings)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function verifyIn(
  folder: string,
  { environment, accountId, flows }: Subject,
  findings: Findings,
): Promise<void> {
  const chartside = (...args: string[]) => runCommand(args, environment)
  const endsAt = performance.now() + CHAINED_WITHIN_MS
  for (let tries = 0; ; tries++) {
    const file = join(folder, `trail-${tries}.jsonl`)
    const exported = await chartside('audit', 'export', file, '--account', accountId)
    if (exported.code !== 0) throw new Error(`chartside audit export: ${exported.stderr}`)
    const missing = listMissing(flows, readFileSync(file, 'utf8'))
    if (missing.length > 0 && performance.now() < endsAt) {
      await sleep(ASK_EVERY_MS)
      continue
    }
    findings.lost.push(...missing.slice(0, MAX_NAMED))
    const verified = await chartside('audit', 'verify', file)
    if (verified.code !== 0) findings.lost.push(`the trail is not whole: ${verified.stderr}`)
    findings.checked['events of launches and exchanges in the trail'] =
      countSteps(flows) - missing.length
    return
  }
}

const countSteps = (flows: readonly FlowFact[]) =>
  flows.reduce((sum, { tokens }) => sum + 1 + (tokens.length > 0 ? 1 : 0), 0)

/** Acknowledged steps without an event, in words. */
function listMissing(flows: readonly FlowFact[], exported: string): string[] {
  const found = new Set<string>()
  for (const line of exported.split('\n')) {
    if (line === '') continue
    const { action, launchId } = JSON.parse(line) as { action?: string; launchId?: string }
    if (launchId !== undefined) found.add(`${action} ${launchId}`)
  }
  return flows.flatMap(({ id, tokens }) =>
    ['launch', ...(tokens.length > 0 ? ['exchange'] : [])]
      .filter((action) => !found.has(`${action} ${id}`))
      .map((action) => `the trail has no ${action} of ${id}`),
  )
}
