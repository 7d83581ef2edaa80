// The worker's HTML: two pages without visible content for the host's hidden frame, and a status
// page for people. Values ride in data attributes (no inline script) and are escaped. Spec §5.2, §5.5.
import type { Service } from './service.ts'
import type { Settings } from './settings.ts'
import type { Sighting } from './watch-log.ts'

export function launchPage(service: Service, settings: Settings): string {
  return hidden({
    scripts: '<script src="/launch.js"></script>',
    data: {
      'client-id': settings.clientId,
      'authorization-endpoint': service.authorizationEndpoint,
      'redirect-uri': `${settings.publicUrl}/callback`,
    },
  })
}

/**
 * The SDK comes first: as it loads it reads the code from the address, and callback.js then takes the
 * code out before anything is fetched (spec §5.2).
 */
export function callbackPage(service: Service): string {
  return hidden({
    scripts: `<script src="${escapeHtml(service.sdkUrl)}" integrity="${escapeHtml(service.sdkIntegrity)}" crossorigin="anonymous"></script>
<script src="/callback.js"></script>`,
    data: { issuer: service.issuer },
  })
}

export function statusPage(sightings: readonly Sighting[]): string {
  const rows = sightings
    .map(({ at, provider, practice, ehrType, launchId }) => {
      const cells = [at.slice(11, 19), provider, practice, ehrType, launchId]
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

function hidden(page: { scripts: string; data: Record<string, string> }): string {
  const attributes = Object.entries(page.data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
  return `${head('Coding Watch')}
<body${attributes}>
${page.scripts}
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
