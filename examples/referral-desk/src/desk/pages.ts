// The app's HTML: one page for launch and callback, and one for people who open the address
// themselves. What the script must know rides in a data attribute, so no inline script is needed.
// Owns markup only, never a secret. Spec §5.5.

/** What the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly baseUrl: string
  readonly providerUrl: string
}

export const page = (settings: PageSettings): string => `${HEAD}
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening Referral Desk…</p></main>
<script src="/referral-desk.js"></script>
</body></html>`

export const startPage = (): string => `${HEAD}
<body><main class="middle">
<h1>Referral Desk</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body></html>`

const HEAD = `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Referral Desk</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/referral-desk.css">
</head>`

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
