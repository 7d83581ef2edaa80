// Asks the registry for known vulnerabilities of what runs in production. Many mirrors do not offer
// this; that is neither a pass nor a failure, and the answer says so. Starts npm; changes nothing.
import { spawnSync } from 'node:child_process'

export type Advisories =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly lines: readonly string[] }
  /** The registry gave no answer; why, as a sentence. */
  | { readonly kind: 'unavailable'; readonly because: string }

interface AuditReport {
  readonly message?: string
  readonly error?: { readonly summary?: string; readonly code?: string }
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string }>
  >
}

export function findAdvisories(root: string): Advisories {
  const npm = process.env.npm_execpath
  const [command, before] = npm && /\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []]
  const { stdout } = spawnSync(
    command,
    [...before, 'audit', '--json', '--package-lock-only', '--omit=dev'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  return parseAudit(stdout)
}

/** The JSON of `npm audit`, whatever it says. */
export function parseAudit(stdout: string): Advisories {
  let report: AuditReport
  try {
    report = JSON.parse(stdout)
  } catch {
    return { kind: 'unavailable', because: 'npm audit gave no report.' }
  }
  const { message, error, vulnerabilities } = report
  if (!vulnerabilities) {
    const said = message ?? error?.summary ?? 'no reason'
    const status = /^\d{3} [^-]*/.exec(said)?.[0].trim()
    return {
      kind: 'unavailable',
      because: `The registry offers no advisories (${status ?? error?.code ?? 'no answer'}).`,
    }
  }
  const lines = Object.entries(vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}`,
  )
  return lines.length === 0 ? { kind: 'none' } : { kind: 'found', lines }
}
