// The app's HTML: the page of launch and callback, and the frame of any other. What the script must
// know rides in a data attribute, so no inline script is needed. Owns markup only, never a secret.
// Spec §5.5.
import manifest from '../chartside.app.json' with { type: 'json' }
import type { PageSettings } from './settings.ts'

/** The name stands in chartside.app.json and nowhere else. */
export const appName = manifest.name

/** The script begins or ends a launch, by its address. */
export const launchPage = (settings: PageSettings): string =>
  buildPage(`<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening ${escapeHtml(appName)}…</p></main>
<script src="/app.js"></script>
</body>`)

/** `body`: markup; what is not must have gone through `escapeHtml`. */
export const buildPage = (body: string): string => `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(appName)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
</head>
${body}
</html>`

export const respondText = (text: string, type: 'html' | 'javascript' | 'css'): Response =>
  new Response(text, { headers: { 'content-type': `text/${type}; charset=utf-8` } })

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
