// The app pages of the handshake tests, as text: they load the SDK by a script tag or by an import
// of the npm package. The page's own script exchanges the code, uses the registered token endpoint,
// or does nothing. Spec §5.1, §5.2, §5.5.

/** How an app's page loads the SDK. */
export type SDKSource = 'tag' | 'import'

/** The scripts of a page, in this order; `async` is a tag that the loader has to wait for. */
const SCRIPTS: { readonly [name: string]: (sdkOrigin: string) => string } = {
  tag: (sdk) => `<script src="${sdk}/sdk.js"></script>`,
  async: (sdk) => `<script async data-chartside src="${sdk}/slow/sdk.js"></script>`,
  module: (sdk) => `<script type="module" src="${sdk}/sdk.mjs" crossorigin></script>`,
  import: () => '<script type="module" src="/import.js"></script>',
}

const NONCE = 'nonce-of-this-answer'

/**
 * `?scripts=tag,import` lists the scripts of the page; the default is `sdkSource`. With `?nonce`
 * the policy allows scripts by nonce only.
 */
export function buildAppPage(url: URL, sdkSource: SDKSource, sdkOrigin: string): string {
  const { pathname, searchParams } = url
  const names =
    pathname === '/without-sdk' ? [] : (searchParams.get('scripts') ?? sdkSource).split(',')
  const sdk = names.map((name) => SCRIPTS[name]?.(sdkOrigin) ?? '').join('')
  const own = pathname.startsWith('/callback/')
    ? `<script type="module" src="${pathname.replace('/callback', '')}.js"></script>`
    : ''
  const page = `<!doctype html><title>app</title>${sdk}${own}`
  return searchParams.has('nonce') ? page.replaceAll('<script', `<script nonce="${NONCE}"`) : page
}

export function buildAppPolicy(
  url: URL,
  { sdk, host, foreign }: Readonly<Record<'sdk' | 'host' | 'foreign', string>>,
): string {
  const scripts = url.searchParams.has('nonce') ? `'nonce-${NONCE}'` : `${sdk} 'self'`
  return (
    `default-src 'none'; script-src ${scripts}; connect-src 'self'; ` +
    `frame-ancestors ${host} ${foreign}`
  )
}

/** The app's own scripts. `import.js` is an import of the package as a bundler writes it. */
export function buildAppScripts(
  sdkOrigin: string,
  loader: string,
): Readonly<Record<string, string>> {
  return {
    '/loader.js': loader,
    '/import.js': `
      import {
        initServiceSDK, initWorkerServiceSDK, reportLaunchFailure, ServiceSDKError,
      } from '/loader.js'
      const baseUrl = '${sdkOrigin}'
      globalThis.Imported = {
        initServiceSDK: (options) => initServiceSDK({ baseUrl, ...options }),
        initWorkerServiceSDK: (options) => initWorkerServiceSDK({ baseUrl, ...options }),
        ServiceSDKError,
        reportLaunchFailure,
        bare: initServiceSDK,
      }`,
    '/token-endpoint.js': start('sdk.initWorkerServiceSDK()'),
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
