// The worker's HTML: two pages without visible content for the host's hidden frame, and a status
// page for people. Owns markup and what the page's script is told, never a secret. Spec §5.2, §5.5.
import type { SdkManifest } from '@chartside/app-kit/server'
import { buildPage, escapeHtml } from '@chartside/example-app-shell/page'
import type { Sighting } from './watch-log.ts'

export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

export const TITLE = 'Coding Watch'
const script = { src: '/coding-watch.js' }

export const buildLaunchPage = (settings: PageSettings): string =>
  buildPage({ title: TITLE, settings, scripts: [script] })

/**
 * The SDK comes first: as it loads it reads the code from the address, and coding-watch.js then takes
 * the code out before anything is fetched (spec §5.2).
 */
export const buildCallbackPage = (
  settings: PageSettings,
  { url, integrity }: SdkManifest,
): string => buildPage({ title: TITLE, settings, scripts: [{ src: url, integrity }, script] })

export function buildStatusPage(sightings: readonly Sighting[]): string {
  const rows = sightings.map(({ at, provider, practice, ehrType, launch }) => {
    const cells = [at.slice(11, 19), provider, practice, ehrType, launch]
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
  })
  const table = `<table><thead><tr><th>Time (UTC)</th><th>Provider</th><th>Practice</th><th>EHR</th><th>Launch</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  const nobody = `<p class="empty">Nobody yet. Sign in at the sample EHR, then load this page again.</p>`
  const main = `<main>
<h1>${TITLE}</h1>
<p>A Worker app without a screen of its own. Below is everyone who was there, by verified ID token.</p>
${rows.length > 0 ? table : nobody}
</main>`
  return buildPage({ title: TITLE, style: '/coding-watch.css', main })
}
