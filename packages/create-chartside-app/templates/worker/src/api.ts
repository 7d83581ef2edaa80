// The worker's own API, which its page tells who is there, and a status page for you: what to change
// first. Every call stands on the app's own session; names are those of the verified launch. The
// status page asks nobody who they are: take it out before real people are on it. Spec §2.5, §5.6.
import type { LaunchIdentity, Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { appName, buildPage, escapeHtml, respondText } from './pages.ts'
import { requireIdentity } from './requests.ts'

interface Sighting {
  /** RFC 3339. */
  readonly at: string
  readonly identity: LaunchIdentity
}

const KEPT = 100

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  let sightings: readonly Sighting[] = []
  return {
    'GET /': async () => respondText(statusPage(sightings), 'html'),

    'POST /api/presence': async (request) => {
      const identity = await requireIdentity(sessions, request)
      sightings = [{ at: new Date().toISOString(), identity }, ...sightings].slice(0, KEPT)
      return Response.json({ watching: true })
    },
  }
}

function statusPage(sightings: readonly Sighting[]): string {
  const rows = sightings.map(({ at, identity: { name, userId, account, ehrType } }) => {
    const cells = [at.slice(11, 19), name ?? userId, account.name, ehrType].map(escapeHtml)
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const table = `<table>
<thead><tr><th>Time (UTC)</th><th>Provider</th><th>Practice</th><th>EHR</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`
  return buildPage(`<body><main class="middle">
<h1>${escapeHtml(appName)}</h1>
<p>A Worker app without a screen of its own. Below is everyone who was there. Anybody who knows this
address sees the list: take it out of <code>src/api.ts</code> before real people are on it.</p>
${rows.length > 0 ? table : '<p class="quiet">Nobody yet.</p>'}
</main></body>`)
}
