// What the sample EHR's server reads and answers: a bounded JSON body, a page, a file, a stream.
// Owns the headers that every answer has.
import type { IncomingMessage, ServerResponse } from 'node:http'

export const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html; charset=utf-8'
const MAX_BODY_BYTES = 16_384

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('the request body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The fields of a JSON object, or null for another type of content: a form of another site cannot
 * send JSON without a preflight, which this server does not answer.
 */
export async function readFields(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (!request.headers['content-type']?.startsWith(JSON_TYPE)) return null
  const value: unknown = JSON.parse(await readText(request))
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, ...HEADERS })
  response.end(body)
}

export const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, JSON_TYPE, JSON.stringify(body))

export function sendPage(response: ServerResponse, status: number, policy: string, body: string) {
  response.setHeader('content-security-policy', policy)
  send(response, status, HTML_TYPE, body)
}

export function beginEventStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...HEADERS })
  response.write(': open\n\n')
}
