// Which client a request to the OAuth surface names, for log lines and spans: before anything of it is
// checked, so any caller can name any. A text that no client_id can be is left out. Pure.
import type { FastifyRequest } from 'fastify'
import { queryOf } from './input/parameters.ts'

/** The form that newClientId makes: any other text may be a secret in the wrong field. */
const CLIENT_ID = /^cli_[0-9a-f]{32}$/

export function findNamedClient({ headers, raw, body }: FastifyRequest): string | undefined {
  const named =
    findBasicName(headers.authorization) ??
    findParameter(queryOf(raw.url)) ??
    findParameter(typeof body === 'string' ? body : undefined)
  return named !== undefined && CLIENT_ID.test(named) ? named : undefined
}

function findBasicName(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]{1,400})/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  return Buffer.from(encoded, 'base64').toString('latin1').split(':', 1)[0]
}

/** A body in JSON is text here too; the form of the name is checked later. */
const IN_JSON = /"client_id"\s*:\s*"([^"\\]{1,100})"/

function findParameter(text: string | undefined): string | undefined {
  if (text?.startsWith('{')) return IN_JSON.exec(text)?.[1]
  if (!text?.includes('client_id=')) return undefined
  return new URLSearchParams(text).get('client_id') ?? undefined
}
