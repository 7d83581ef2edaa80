// The answer to a browser that opens the sample EHR under another host name, such as localhost: the
// service would refuse its calls. Names the address to open. The check also keeps out a page of
// another site whose name resolves to this machine (DNS rebinding).
import { html } from './html.ts'

export const WRONG_HOST_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'"

export function wrongHostPage(wanted: string, given: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Another address · Chartside sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox.css">
</head>
<body>
<main class="front"><div class="card sign-in">
<h1>The sample EHR has another address</h1>
<p>Open <a href="${wanted}">${wanted}</a></p>
<p>You opened ${given}. The service answers only to the address above, and the apps allow only that one to frame them.</p>
</div></main>
</body>
</html>`
}
