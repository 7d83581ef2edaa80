// The app's HTML: one page for launch and callback, and one for people who open the address
// themselves. What the script must know rides in a data attribute, so no inline script is needed.
// Owns markup only, never a secret. Spec §5.5.

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

export function page({ clientId, baseUrl, publicUrl }: PageOptions): string {
  const settings: PageSettings = { clientId, baseUrl, redirectUri: `${publicUrl}/callback` }
  return `${HEAD}
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening Care Gaps…</p></main>
<script src="/care-gaps.js"></script>
</body></html>`
}

export const startPage = (): string => `${HEAD}
<body><main class="middle">
<h1>Care Gaps</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body></html>`

const HEAD = `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Care Gaps</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/care-gaps.css">
</head>`

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
