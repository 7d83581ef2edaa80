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
  /** Does not wait for the style sheet. */
  readonly isAsync?: boolean
}

interface PageParts {
  readonly styleSheet?: string
  /** A script of another origin that a script of the page adds, such as the SDK: fetched from the start. */
  readonly preload?: string
}

/** The scripts run in this order. */
export const launchPage = (
  settings: object,
  scripts: readonly Script[] = [{ src: '/app.js' }],
  parts: PageParts = {},
) =>
  buildPage(
    `<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening ${escapeHtml(appName)}…</p></main>
${scripts.map(buildScript).join('\n')}
</body>`,
    parts,
  )

function buildScript({ src, integrity, isAsync }: Script): string {
  const check = integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : ''
  return `<script src="${escapeHtml(src)}"${check}${isAsync ? ' async' : ''}></script>`
}

const buildPreload = (src: string): string =>
  `<link rel="preload" as="script" href="${escapeHtml(src)}" crossorigin="anonymous">\n`

/** `body`: markup; its variable parts must have gone through `escapeHtml`. */
export const buildPage = (
  body: string,
  { styleSheet = '/app.css', preload }: PageParts = {},
): string => `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(appName)}</title>
<link rel="icon" href="data:,">
${preload ? buildPreload(preload) : ''}<link rel="stylesheet" href="${escapeHtml(styleSheet)}">
</head>
${body}
</html>`

type TextType = 'text/html' | 'text/javascript' | 'text/css'

export const respondText = (
  text: string,
  type: TextType,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(text, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })

/** For text, and for attribute values in double quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
