// The readable reference of the API and its machine-readable twin, both made from the route table.
// Contract §4 (/doc, /openapi.json).

import { escapeHtml, pageHeaders } from '../http/pages.ts'
import type { Reply, Route } from '../http/route.ts'
import type { Service } from '../service.ts'
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
    const rows = routes().map((route) => {
      const methods = route.surface === 'oauth' ? route.methods.join(', ') : route.method
      const cells = [methods, route.path, route.caller.replaceAll('_', ' '), route.summary]
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
    })
    return {
      status: 200,
      headers: { ...pageHeaders([]), 'cache-control': 'public, max-age=300' },
      body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Chartside API 1.0.0</title>
<h1>Chartside API 1.0.0</h1>
<p>Issuer <code>${escapeHtml(config.issuerUrl)}</code>. Schemas of every payload: <a href="/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Who may call</th><th>What it does</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</html>
`,
    }
  }
