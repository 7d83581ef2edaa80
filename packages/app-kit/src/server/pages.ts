// The HTML of an app: the page of launch and callback, the start page, and the document around
// every page. A script reads its settings from a data attribute, so no inline script is needed.
// Never contains a secret. Spec §5.5.

export interface PageScript {
  readonly src: string
  /** The Subresource Integrity, for a script of another origin. */
  readonly integrity?: string
  /** Does not wait for the style sheet. */
  readonly isAsync?: boolean
}

export interface PageParts {
  /** The app's name, as its registration has it. */
  readonly name: string
  /** Default `/app.css`. */
  readonly styleSheet?: string
  /** A script of another origin that a script of the page adds, such as the SDK: fetched from the start. */
  readonly preload?: string
}

export interface LaunchPageParts extends PageParts {
  /** The settings that `readPageSettings` of the browser half reads; every visitor can read them too. */
  readonly settings: object
  /** The scripts in the order in which they run. Default: `/app.js`. */
  readonly scripts?: readonly PageScript[]
}

/**
 * Builds the page of the Launch URL and of the callback: a line that says that the app opens, and the
 * scripts. Never throws. Spec §5.5.
 * @example respondText(buildLaunchPage({ name: 'Ward Notes', settings: { clientId, baseUrl } }), 'text/html')
 */
export function buildLaunchPage(parts: LaunchPageParts): string {
  const { name, settings, scripts = [{ src: '/app.js' }] } = parts
  return buildPage(
    `<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<main id="app" class="middle" aria-live="polite"><p class="quiet">Opening ${escapeHtml(name)}…</p></main>
${scripts.map(buildScript).join('\n')}
</body>`,
    parts,
  )
}

/**
 * Builds the page for people who open the app's address in a browser tab: it says where the app opens. Never
 * throws. Spec §1.1.
 * @example respondText(buildStartPage({ name: 'Ward Notes' }), 'text/html')
 */
export const buildStartPage = (parts: PageParts): string =>
  buildPage(
    `<body><main class="middle">
<h1>${escapeHtml(parts.name)}</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body>`,
    parts,
  )

function buildScript({ src, integrity, isAsync }: PageScript): string {
  const check = integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : ''
  return `<script src="${escapeHtml(src)}"${check}${isAsync ? ' async' : ''}></script>`
}

const buildPreload = (src: string): string =>
  `<link rel="preload" as="script" href="${escapeHtml(src)}" crossorigin="anonymous">\n`

/**
 * Builds the document around a body of markup, whose variable parts must have gone through `escapeHtml`.
 * Never throws. Spec §5.5.
 * @example buildPage(`<body><h1>${escapeHtml(title)}</h1></body>`, { name: 'Ward Notes' })
 */
export const buildPage = (
  body: string,
  { name, styleSheet = '/app.css', preload }: PageParts,
): string => `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
${preload ? buildPreload(preload) : ''}<link rel="stylesheet" href="${escapeHtml(styleSheet)}">
</head>
${body}
</html>`

export type TextType = 'text/html' | 'text/javascript' | 'text/css'

/**
 * Builds a response with a text in UTF-8. Never throws. Fetch standard, Response.
 * @example respondText(buildStartPage({ name: 'Ward Notes' }), 'text/html')
 */
export const respondText = (
  text: string,
  type: TextType,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(text, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })

/**
 * Makes a text safe as markup, and in attribute values in double quotes. Never throws. HTML standard,
 * escaping a string.
 * @example `<h1>${escapeHtml(patient.name)}</h1>`
 */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
