// The readable reference of the API and the OpenAPI document, both built from the route table: a page
// that runs Swagger UI under a strict policy, and one table for browsers without script.
// Contract §4 (/doc, /openapi.json), security U05.

import { type Html, html } from '../http/html/page.ts'
import type { Answer, Route } from '../http/route.ts'
import { PERMISSIONS } from '../kernel/access.ts'
import type { Service } from '../service.ts'
import { docFilePath } from './doc-files.ts'
import type { OPENAPI_DOCUMENT } from './meta-schema.ts'
import { buildOpenApi } from './openapi.ts'
import { buildReference, documentHeaders } from './reference-document.ts'
import { SECTIONS, sectionOf } from './sections.ts'

const CACHED_BRIEFLY = { 'cache-control': 'public, max-age=300' } as const

/** By base URL; built at the first request. */
const documents = new Map<string, Readonly<Record<string, unknown>>>()

export const showOpenApi =
  (routes: () => readonly Route[]) =>
  async ({
    config: { baseUrl },
  }: Pick<Service, 'config'>): Promise<Answer<200, typeof OPENAPI_DOCUMENT>> => {
    const document = documents.get(baseUrl) ?? buildOpenApi(routes(), baseUrl)
    documents.set(baseUrl, document)
    return { status: 200, headers: CACHED_BRIEFLY, body: document }
  }

/** Scripts and styles from this origin only, none inline, no eval; answers of this origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses are relative, so that the page works below any path. */
export async function showDoc(): Promise<Answer<200>> {
  return {
    status: 200,
    headers: { ...documentHeaders(), 'content-security-policy': POLICY, ...CACHED_BRIEFLY },
    body: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Chartside API 1.0.0</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${docFilePath('swagger-ui.css')}">
<body>
<div id="reference"></div>
<noscript><p>This page runs a script. <a href="doc/plain">Read the table of all routes</a>, or <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="${docFilePath('swagger-ui-bundle.js')}"></script>
<script src="${docFilePath('doc-page.js')}"></script>
</body>
</html>
`.html,
  }
}

export const showPlainDoc =
  (routes: () => readonly Route[]) =>
  async ({ config }: Pick<Service, 'config'>): Promise<Answer<200>> => {
    const sections = SECTIONS.map(({ title }) => {
      const listed = routes().filter(({ path }) => sectionOf(path) === title)
      return html`<h2>${title}</h2>\n${buildTable(listed)}`
    })
    const content = html`<p>Issuer <code>${config.issuerUrl}</code>. Every payload with its schema, for machines: <a href="../openapi.json">openapi.json</a>.</p>
${sections}`
    return {
      status: 200,
      headers: { ...documentHeaders(), ...CACHED_BRIEFLY },
      body: buildReference('Chartside API 1.0.0', content),
    }
  }

function buildTable(routes: readonly Route[]): Html {
  const rows = routes.map((route) => {
    const methods = route.surface === 'oauth' ? route.methods.join(', ') : route.method
    const isForPerson = route.surface === 'api' && route.permission !== undefined
    const callers = isForPerson ? PERMISSIONS[route.permission] : route.caller.replaceAll('_', ' ')
    return html`<tr><td><code>${methods}</code></td><td><code>${route.path}</code></td><td>${callers}</td><td>${route.summary}</td></tr>`
  })
  return html`<div class="scroll"><table>
<thead><tr><th>Method</th><th>Path</th><th>Who may call</th><th>What it does</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>`
}
