// The app's HTML. Values for the scripts ride in data attributes, so the Content-Security-Policy
// needs no inline script; every value is escaped. Owns markup only, never a secret.
// Spec §2.2, §4.1, §5.5.
import type { Service } from './discovery.ts'
import type { Settings } from './settings.ts'

/** Where the browser begins: keeps a CSRF value and goes to authorize (spec §4.1). */
export function launchPage(service: Service, settings: Settings): string {
  return document('Opening Visit Notes', '/launch.js', {
    'client-id': settings.clientId,
    'authorization-endpoint': service.authorizationEndpoint,
    'redirect-uri': `${settings.publicUrl}/callback`,
  })
}

/**
 * Where the code arrives. The SDK is not a script tag of this page: callback.js adds it once the
 * code has left the address (spec §5.5; security H02).
 */
export function callbackPage(service: Service): string {
  return document('Visit Notes', '/callback.js', {
    issuer: service.issuer,
    'sdk-url': service.sdkUrl,
    'sdk-integrity': service.sdkIntegrity,
  })
}

/** For people who open the address themselves. */
export function startPage(): string {
  return `${head('Visit Notes')}
<body><main class="middle">
<h1>Visit Notes</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body></html>`
}

function document(title: string, script: string, data: Record<string, string>): string {
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
  return `${head(title)}
<body${attributes}>
<main id="app" class="middle" aria-live="polite"><p class="quiet"><span class="spinner" aria-hidden="true"></span>Opening Visit Notes…</p></main>
<script src="${script}"></script>
</body></html>`
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/visit-notes.css">
</head>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
