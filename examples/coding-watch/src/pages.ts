// The worker's HTML: two pages without visible content for the host's hidden frame, and a status
// page for people. Values ride in a data attribute (no inline script) and are escaped. Spec §5.2, §5.5.
import type { SdkManifest } from '@chartside/app-kit/server'
import type { Sighting } from './watch-log.ts'

/** What the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

interface PageOptions {
  readonly clientId: string
  readonly baseUrl: string
  readonly publicUrl: string
}

const SCRIPT = '<script src="/coding-watch.js"></script>'

export const launchPage = (options: PageOptions): string => hidden(options, SCRIPT)

/**
 * The SDK comes first: as it loads it reads the code from the address, and coding-watch.js then takes
 * the code out before anything is fetched (spec §5.2).
 */
export function callbackPage(options: PageOptions, { url, integrity }: SdkManifest): string {
  const sdk = `<script src="${escapeHtml(url)}" integrity="${escapeHtml(integrity)}" crossorigin="anonymous"></script>`
  return hidden(options, `${sdk}\n${SCRIPT}`)
}

export function statusPage(sightings: readonly Sighting[]): string {
  const rows = sightings
    .map(({ at, provider, practice, ehrType, launch }) => {
      const cells = [at.slice(11, 19), provider, practice, ehrType, launch]
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
    })
    .join('')
  const table = `<table><thead><tr><th>Time (UTC)</th><th>Provider</th><th>Practice</th><th>EHR</th><th>Launch</th></tr></thead><tbody>${rows}</tbody></table>`
  return `${head('Coding Watch', '<link rel="stylesheet" href="/coding-watch.css">')}
<body><main>
<h1>Coding Watch</h1>
<p>A Worker app without a screen of its own. Below is everyone who was there, by verified ID token.</p>
${sightings.length > 0 ? table : '<p class="empty">Nobody yet. Sign in at the sample EHR, then load this page again.</p>'}
</main></body></html>`
}

function hidden({ clientId, baseUrl, publicUrl }: PageOptions, scripts: string): string {
  const settings: PageSettings = { clientId, baseUrl, redirectUri: `${publicUrl}/callback` }
  return `${head('Coding Watch')}
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
${scripts}
</body></html>`
}

function head(title: string, extra = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title><link rel="icon" href="data:,">${extra}</head>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
