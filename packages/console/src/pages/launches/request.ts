// A refused request as it arrived and its answer, as text, as a curl command and as a report to copy. Pure.
// Values come from strangers: in a command each stands in single quotes, so none of them can become one.
import type { Launch, LaunchStep } from '@chartside/protocol/payloads'
import { formatUtc } from '@chartside/ui/times'
import type { Verdict } from './verdict.ts'

/** The failed step whose request the service kept. */
export const findRefused = ({ steps }: Launch): LaunchStep | undefined =>
  steps.findLast(({ outcome, step }) => outcome === 'failed' && PATHS[step] !== undefined)

const PATHS: Readonly<Partial<Record<LaunchStep['step'], string>>> = {
  authorize: '/app-auth/authorize',
  exchange: '/app-auth/token',
}

export function describeRequest(step: LaunchStep): string {
  const sent = step.sent ?? []
  const { client } = step
  const caller = client ? [client.address, client.country].filter(Boolean).join(' ') : ''
  if (step.step === 'authorize') {
    const lines = sent.map(({ name, value }) => `  ${name}=${value}`)
    return [`GET ${PATHS.authorize}`, ...lines, sent.length === 0 ? '  (no value explains it)' : '']
      .join('\n')
      .trimEnd()
  }
  const fields = Object.fromEntries(sent.map(({ name, value }) => [name, value]))
  const isForm = client?.encoding === 'form'
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = isForm
    ? sent.map(({ name, value }) => `${name}=${value}`).join('\n')
    : JSON.stringify(fields, null, 2)
  const head = [`POST ${PATHS.exchange}`, caller].filter((text) => text !== '').join('  ')
  return `${head}\ncontent-type: ${type}\n\n${body}`
}

export function describeAnswer({ code, reason, traceId, step }: LaunchStep): string {
  const status = step === 'exchange' ? (code === 'invalid_client' ? 401 : 400) : 302
  const answer = JSON.stringify({ error: code, trace_id: traceId }, null, 2)
  return `${status}\n\n${answer}\n\nreason (only here): ${reason ?? ''}`
}

/** One word of a POSIX shell, whatever it holds. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  client_secret: 'CLIENT_SECRET',
  code: 'CODE',
  code_verifier: 'CODE_VERIFIER',
}

/** The same request, with placeholders of the shell where a secret stood. */
export function buildCurl(step: LaunchStep, base: string): string {
  const sent = step.sent ?? []
  const data = sent.map(({ name, value }) => {
    const variable = PLACEHOLDERS[name]
    return variable === undefined
      ? `  --data-urlencode ${quote(`${name}=${value}`)}`
      : `  --data-urlencode ${name}="$${variable}"`
  })
  const url = `${base}${PATHS[step.step] ?? ''}`
  const method = step.step === 'authorize' ? ' --get' : ''
  return [`curl -i${method} ${quote(url)}`, ...data].join(' \\\n')
}

/** One block for a ticket or a mail. */
export function buildReport(launch: Launch, verdict: Verdict, address: string): string {
  const refused = findRefused(launch)
  const at = refused?.at ?? launch.createdAt
  return [
    verdict.title,
    verdict.cause,
    ...verdict.steps.map((step, index) => `${index + 1}. ${step}`),
    '',
    `App: ${launch.app.name} (${launch.app.id}), ${launch.kind}`,
    `Practice: ${launch.account.name}, EHR ${launch.ehrType}`,
    `Launch: ${launch.id}`,
    `Time: ${formatUtc(Date.parse(at))}`,
    ...(refused ? [`Code: ${refused.code ?? ''}, reason: ${refused.reason ?? ''}`] : []),
    ...(refused?.traceId ? [`Trace: ${refused.traceId}`] : []),
    address,
  ].join('\n')
}
