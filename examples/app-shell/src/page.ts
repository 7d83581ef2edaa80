// The HTML documents of the sample apps. What a page's script must know rides in a data attribute, so
// the Content-Security-Policy needs no inline script. Owns markup only, never a secret. Spec §5.5.

export interface Script {
  readonly src: string
  /** For a script of another origin, such as the SDK. */
  readonly integrity?: string
}

export interface PageOptions {
  readonly title: string
  /** The path of the style sheet; a page that nobody sees has none. */
  readonly style?: string
  /** For `readSettings()` in the page. */
  readonly settings?: object
  /** Markup, in which everything that varies is escaped. */
  readonly main?: string
  /** In the order in which they run. */
  readonly scripts?: readonly Script[]
}

type TitleAndStyle = Required<Pick<PageOptions, 'title' | 'style'>>

export function buildPage({ title, style, settings, main, scripts = [] }: PageOptions): string {
  const data = settings ? ` data-settings="${escapeHtml(JSON.stringify(settings))}"` : ''
  return [
    '<!doctype html>',
    '<html lang="en"><head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    '<link rel="icon" href="data:,">',
    style && `<link rel="stylesheet" href="${escapeHtml(style)}">`,
    '</head>',
    `<body${data}>`,
    main,
    ...scripts.map(buildScript),
    '</body></html>',
  ]
    .filter(Boolean)
    .join('\n')
}

function buildScript({ src, integrity }: Script): string {
  const check = integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : ''
  return `<script src="${escapeHtml(src)}"${check}></script>`
}

/** The page that a launch opens: says that it is opening until its script shows more. */
export function buildAppPage(options: TitleAndStyle & PageOptions): string {
  const words = `<p class="quiet">Opening ${escapeHtml(options.title)}…</p>`
  const main = `<main id="app" class="middle" aria-live="polite">${words}</main>`
  return buildPage({ ...options, main })
}

/** For people who open the address themselves. */
export function buildStartPage({ title, style }: TitleAndStyle): string {
  const main = `<main class="middle">
<h1>${escapeHtml(title)}</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main>`
  return buildPage({ title, style, main })
}

/** For text and for the value of an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
