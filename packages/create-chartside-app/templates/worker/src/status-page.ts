// Who was present, and the page that lists them. Names are those of the verified launch. The page checks no
// identity: remove it before real people use the app.
import { buildPage, escapeHtml, type LaunchIdentity } from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }

export interface Presence {
  /** The time in RFC 3339. */
  readonly at: string
  readonly identity: LaunchIdentity
}

const MAX_PRESENCES = 100

/** Adds a presence; the newest is first. */
export const addPresence = (presences: readonly Presence[], identity: LaunchIdentity) =>
  [{ at: new Date().toISOString(), identity }, ...presences].slice(0, MAX_PRESENCES)

export function buildStatusPage(presences: readonly Presence[]): string {
  const rows = presences.map(({ at, identity: { name, userId, account, ehrType } }) => {
    const cells = [at.slice(11, 19), name ?? userId, account.name, ehrType].map(escapeHtml)
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const table = `<table>
<thead><tr><th>Time (UTC)</th><th>Provider</th><th>Practice</th><th>EHR</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`
  const body = `<body><main class="middle">
<h1>${escapeHtml(manifest.name)}</h1>
<p>A Worker app without a screen of its own. Below is everyone who was present. Every visitor of
this address sees the list: remove it from <code>src/app.ts</code> before real people use the app.</p>
${rows.length > 0 ? table : '<p class="quiet">No provider yet.</p>'}
</main></body>`
  return buildPage(body, { name: manifest.name })
}
