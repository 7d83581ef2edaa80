// The status page, for people: who was present, by verified ID token. Owns markup only; everything
// variable is escaped.
import { buildPage, escapeHtml } from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }
import type { Presence } from './presence-log.ts'

export function buildStatusPage(presences: readonly Presence[]): string {
  const rows = presences.map(({ at, provider, practice, ehrType, launch }) => {
    const cells = [at.slice(11, 19), provider, practice, ehrType, launch]
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
  })
  const table = `<table><thead><tr><th>Time (UTC)</th><th>Provider</th><th>Practice</th><th>EHR</th><th>Launch</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  const empty = `<p class="empty">No provider yet. Sign in at the sample EHR, then load this page again.</p>`
  const body = `<body><main>
<h1>${escapeHtml(manifest.name)}</h1>
<p>A Worker app without a screen of its own. Below is everyone who was present, by verified ID token.</p>
${rows.length > 0 ? table : empty}
</main></body>`
  return buildPage(body, { name: manifest.name })
}
