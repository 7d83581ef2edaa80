// The pages of an app on the stage, as text: the SDK comes by a script tag or by an import of the
// npm package, and the page's own script exchanges the code, has a relay exchange it, or does
// nothing. Spec §5.1, §5.2, §5.5.

/** How the SDK comes into an app's page. */
export type Way = 'tag' | 'import'

/** What a page holds, in this order; `async` is a tag that the loader has to wait for. */
const SCRIPTS: { readonly [name: string]: (sdkOrigin: string) => string } = {
  tag: (sdk) => `<script src="${sdk}/sdk.js"></script>`,
  async: (sdk) => `<script async data-chartside src="${sdk}/slow/sdk.js"></script>`,
  module: (sdk) => `<script type="module" src="${sdk}/sdk.mjs" crossorigin></script>`,
  import: () => '<script type="module" src="/import.js"></script>',
}

const NONCE = 'nonce-of-this-answer'

/**
 * `?scripts=tag,import` says what is in the page, otherwise it is the way of the stage. With
 * `?nonce` the policy allows scripts by nonce only.
 */
export function buildAppPage(url: URL, way: Way, sdkOrigin: string): string {
  const { pathname, searchParams } = url
  const names = pathname === '/silent' ? [] : (searchParams.get('scripts') ?? way).split(',')
  const sdk = names.map((name) => SCRIPTS[name]?.(sdkOrigin) ?? '').join('')
  const own = pathname.startsWith('/callback/')
    ? `<script type="module" src="${pathname.replace('/callback', '')}.js"></script>`
    : ''
  const page = `<!doctype html><title>app</title>${sdk}${own}`
  return searchParams.has('nonce') ? page.replaceAll('<script', `<script nonce="${NONCE}"`) : page
}

export function buildAppPolicy(
  url: URL,
  { sdk, host, stranger }: Readonly<Record<'sdk' | 'host' | 'stranger', string>>,
): string {
  const scripts = url.searchParams.has('nonce') ? `'nonce-${NONCE}'` : `${sdk} 'self'`
  return (
    `default-src 'none'; script-src ${scripts}; connect-src 'self'; ` +
    `frame-ancestors ${host} ${stranger}`
  )
}

/** The app's own scripts. `import.js` is what a bundler makes of an import of the package. */
export function buildAppScripts(
  sdkOrigin: string,
  loader: string,
): Readonly<Record<string, string>> {
  return {
    '/loader.js': loader,
    '/import.js': `
      import { initServiceSDK, initWorkerServiceSDK, ServiceSDKError } from '/loader.js'
      const baseUrl = '${sdkOrigin}'
      globalThis.Imported = {
        initServiceSDK: (options) => initServiceSDK({ baseUrl, ...options }),
        initWorkerServiceSDK: (options) => initWorkerServiceSDK({ baseUrl, ...options }),
        ServiceSDKError,
        bare: initServiceSDK,
      }`,
    '/relay.js': start('sdk.initWorkerServiceSDK()'),
    '/cleaned.js': `history.replaceState(null, '', location.pathname)
      ${start('sdk.initServiceSDK()')}`,
    '/exchange.js': start(`(async () => {
      const code = new URLSearchParams(location.search).get('code')
      const response = await fetch('/exchange', { method: 'POST', body: JSON.stringify({ code }) })
      const { access_token: accessToken, id_token: idToken } = await response.json()
      return sdk.initServiceSDK({ accessToken, idToken })
    })()`),
  }
}

const start = (init: string) => `
  const sdk = globalThis.Imported ?? globalThis.Chartside
  window.ready = ${init}.then((sdk) => { window.sdk = sdk; return sdk })
  window.ready.catch(() => {})`
