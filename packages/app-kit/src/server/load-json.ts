// Fetches a JSON document that the service publishes: five seconds at most, no redirect, bounded
// size. An error names the address and the failure. Caches nothing.
import { ServiceError } from './errors.ts'
import { isRecord, readText } from './read-text.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 262_144

/** @throws ServiceError service_unreachable, service_misdescribed */
export async function loadJson(
  url: string,
  fetchFrom: typeof fetch,
): Promise<Record<string, unknown>> {
  const { status, text } = await read(url, fetchFrom)
  if (status !== 200) {
    throw new ServiceError('service_unreachable', `${url} answered ${status}.`)
  }
  try {
    const document: unknown = JSON.parse(text ?? '')
    if (isRecord(document)) return document
  } catch {}
  throw new ServiceError('service_misdescribed', `${url} did not answer with a JSON object.`)
}

async function read(url: string, fetchFrom: typeof fetch) {
  try {
    const response = await fetchFrom(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, text: await readText(response, MAX_BYTES) }
  } catch (cause) {
    throw new ServiceError('service_unreachable', `${url} could not be reached.`, { cause })
  }
}

/** @throws ServiceError service_misdescribed */
export function requireText(document: Record<string, unknown>, name: string, from: string): string {
  const value = document[name]
  if (typeof value === 'string' && value !== '') return value
  throw new ServiceError('service_misdescribed', `${from} holds no "${name}".`)
}
