// The readable reference of the API and its machine-readable twin, both made from the route table.
// Contract §4 (/doc, /openapi.json).

import { buildDocument, escapeHtml, pageHeaders } from '../http/pages.ts'
import type { Reply, Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { NEEDS } from '../users/access.ts'
import { buildOpenApi } from './openapi.ts'

export const showOpenApi =
  (routes: () => readonly Route[]) =>
  async ({ config }: Service): Promise<Reply> => ({
    status: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body: buildOpenApi(routes(), config.baseUrl),
  })

export const showDoc =
  (routes: () => readonly Route[]) =>
  async ({ config }: Service): Promise<Reply> => {
    const issuer = `<p>Issuer <code>${escapeHtml(config.issuerUrl)}</code>. Every payload with its schema, for machines: <a href="/openapi.json">openapi.json</a>.</p>`
    const sections = SECTIONS.map(({ title }) => {
      const listed = routes().filter(({ path }) => sectionOf(path) === title)
      return `<h2>${escapeHtml(title)}</h2>\n${buildTable(listed)}`
    })
    return {
      status: 200,
      headers: { ...pageHeaders([]), 'cache-control': 'public, max-age=300' },
      body: buildDocument('Chartside API 1.0.0', [issuer, ...sections].join('\n'), false),
    }
  }

const SECTIONS = [
  { title: 'App authentication', prefixes: ['/app-auth/', '/.well-known/'] },
  { title: 'In-page SDK', prefixes: ['/sdk/'] },
  { title: 'Sign-in', prefixes: ['/auth/'] },
  { title: 'EHR sessions and launches', prefixes: ['/api/sessions', '/api/launches'] },
  {
    title: 'Administration',
    prefixes: ['/api/'],
  },
  { title: 'The service itself', prefixes: ['/'] },
] as const

/** The first section that has a prefix of the path. */
const sectionOf = (path: string) =>
  SECTIONS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.title

function buildTable(routes: readonly Route[]): string {
  const rows = routes.map((route) => {
    const methods = route.surface === 'oauth' ? route.methods.join(', ') : route.method
    const isForPerson = route.surface === 'api' && route.needs !== undefined
    const who = isForPerson ? NEEDS[route.needs] : route.caller.replaceAll('_', ' ')
    const [path, caller] = [escapeHtml(route.path), escapeHtml(who)]
    return `<tr><td><code>${methods}</code></td><td><code>${path}</code></td><td>${caller}</td><td>${escapeHtml(route.summary)}</td></tr>`
  })
  return `<div class="scroll"><table>
<thead><tr><th>Method</th><th>Path</th><th>Who may call</th><th>What it does</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`
}
