// The worker's own API, to which its page reports who is present, and a status page: what to change
// first. Every call needs the app's own session; names are those of the verified launch. The status
// page checks no identity: remove it before real people use the app. Spec §2.5, §5.6.
import {
  buildPage,
  escapeHtml,
  type LaunchIdentity,
  type Routes,
  requireIdentity,
  respondText,
  type Sessions,
} from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }

interface Presence {
  /** RFC 3339. */
  readonly at: string
  readonly identity: LaunchIdentity
}

const MAX_PRESENCES = 100

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  let presences: readonly Presence[] = []
  return {
    'GET /': async () => respondText(statusPage(presences), 'text/html'),

    'POST /api/presence': async (request) => {
      const identity = await requireIdentity(sessions, request)
      const presence = { at: new Date().toISOString(), identity }
      presences = [presence, ...presences].slice(0, MAX_PRESENCES)
      return Response.json({ recorded: true })
    },
  }
}

function statusPage(presences: readonly Presence[]): string {
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
this address sees the list: remove it from <code>src/api.ts</code> before real people use the app.</p>
${rows.length > 0 ? table : '<p class="quiet">No provider yet.</p>'}
</main></body>`
  return buildPage(body, { name: manifest.name })
}
