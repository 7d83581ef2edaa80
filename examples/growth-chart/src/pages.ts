// The app's two pages: where the code arrives, and one for people who open the address themselves.
// Owns markup only; no inline script, so the Content-Security-Policy needs none. Spec §5.5.
import type { SdkScript } from './oauth.ts'

/** take-query.js comes first: the code has left the address before anything else is fetched. */
export const callbackPage = (sdk: SdkScript): string => `${HEAD}
<body>
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening Growth Chart…</p></main>
<script src="/take-query.js"></script>
<script src="${sdk.url}" integrity="${sdk.integrity}" crossorigin="anonymous"></script>
<script src="/growth-chart.js" type="module"></script>
</body></html>`

export const startPage = (): string => `${HEAD}
<body><main class="middle">
<h1>Growth Chart</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body></html>`

const HEAD = `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Growth Chart</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/growth-chart.css">
</head>`
