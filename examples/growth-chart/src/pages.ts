// The app's HTML: the page of launch and callback, and the document around every page. The script
// reads its settings from a data attribute, so no inline script is needed. Never contains a secret.
// Spec §5.5.
import manifest from '../chartside.app.json' with { type: 'json' }

/** From chartside.app.json, the only file with the name. */
export const appName = manifest.name

interface Script {
  readonly src: string
  /** Subresource Integrity, for a script of another origin. */
  readonly integrity?: string
}

/** The scripts run in this order; `/app.js` begins or ends a launch, by the address. */
export const launchPage = (settings: object, scripts: readonly Script[] = [{ src: '/app.js' }]) =>
  buildPage(`<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening ${escapeHtml(appName)}…</p></main>
${scripts.map(buildScript).join('\n')}
</body>`)

function buildScript({ src, integrity }: Script): string {
  const check = integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : ''
  return `<script src="${escapeHtml(src)}"${check}></script>`
}

/** `body`: markup; its variable parts must have gone through `escapeHtml`. */
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

type TextType = 'text/html' | 'text/javascript' | 'text/css'

export const respondText = (text: string, type: TextType): Response =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } })

/** For text, and for attribute values in double quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
