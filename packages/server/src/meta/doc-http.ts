// The readable reference of the API and the OpenAPI document, both built from the route table at their first
// request. The page needs no script; the script only filters. Contract §4 (/doc, /openapi.json),
// security U05, H01.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { HasConfig } from '../config/config.ts'
import type { Answer, TextReply } from '../http/call.ts'
import { htmlHeaders } from '../http/html/page.ts'
import type { Route } from '../route.ts'
import { buildOpenApi } from './openapi.ts'
import { buildReference } from './reference-page.ts'
import { loadReferenceStyle } from './reference-style.ts'

const CACHED_BRIEFLY = { 'cache-control': 'public, max-age=300' } as const

/**
 * The documents by base URL, built and written as text at the first request. A few hundred requests that each
 * wrote it anew held up every other caller for seconds. Security V02.
 */
const documents = new Map<string, string>()
const pages = new Map<string, string>()

export const showOpenApi =
  (routes: () => readonly Route[]) =>
  async ({ config: { baseUrl } }: HasConfig): Promise<TextReply> => {
    const body = documents.get(baseUrl) ?? JSON.stringify(buildOpenApi(routes(), baseUrl))
    documents.set(baseUrl, body)
    const headers = { ...CACHED_BRIEFLY, 'content-type': 'application/json; charset=utf-8' }
    return { status: 200, headers, body }
  }

let script: string | undefined

function loadScript(): string {
  script ??= readFileSync(new URL('./reference-filter.mjs', import.meta.url), 'utf8')
  return script
}

export const showDoc =
  (routes: () => readonly Route[]) =>
  async ({ config }: HasConfig): Promise<Answer<200>> => {
    const { baseUrl, issuerUrl } = config
    const version = hash('sha256', loadScript(), 'hex').slice(0, 12)
    const scriptUrl = `${baseUrl}/doc/filter.mjs?v=${version}`
    const body = pages.get(baseUrl) ?? buildReference(routes(), { baseUrl, issuerUrl, scriptUrl })
    pages.set(baseUrl, body)
    const style = loadReferenceStyle()
    const policy = {
      style,
      script: scriptUrl,
      formAction: "'none'",
      frameAncestors: "'none'",
    } as const
    return { status: 200, headers: { ...htmlHeaders(policy), ...CACHED_BRIEFLY }, body }
  }

export async function showDocScript(): Promise<Answer<200>> {
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    },
    body: loadScript(),
  }
}
