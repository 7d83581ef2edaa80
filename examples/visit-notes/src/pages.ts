// The app's HTML: one page for launch and callback, and one for people who open the address
// themselves. What the script must know rides in a data attribute, so the Content-Security-Policy
// needs no inline script. Owns markup only, never a secret. Spec §5.5.
import type { Settings } from './settings.ts'

/** What the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

export function page({ clientId, baseUrl, publicUrl }: Settings): string {
  const settings: PageSettings = { clientId, baseUrl, redirectUri: `${publicUrl}/callback` }
  return `${HEAD}
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app"></main>
<script src="/visit-notes.js"></script>
</body></html>`
}

export const startPage = (): string => `${HEAD}
<body><main><div class="middle">
<h1>Visit Notes</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</div></main></body></html>`

const HEAD = `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Visit Notes</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/visit-notes.css">
</head>`

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
