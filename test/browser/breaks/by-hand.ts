// An app as docs/build/by-hand.md writes it, with the code that stands there: no kit, the SDK by its tag, an
// exchange and a page that report what fails. A mistake changes one line of it, or answers in its place.
import { readFileSync } from 'node:fs'
import type { AppSetup, BrokenApp } from './break.ts'

const GUIDE = readFileSync(new URL('../../../docs/build/by-hand.md', import.meta.url), 'utf8')
const BLOCKS = [...GUIDE.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

function blockWith(words: string): string {
  const block = BLOCKS.find((code) => code.includes(words))
  if (block) return block
  throw new Error(`docs/build/by-hand.md has no block with ${words}.`)
}

const REPORT = blockWith("addEventListener('error'")
const LAUNCH = blockWith('const csrf =')
const CALLBACK = blockWith('const query =')
const SDK = blockWith('await Chartside.initServiceSDK')
const EXCHANGE = blockWith('code, client_id, client_secret')

export interface ByHand {
  /** Changes the script of the Launch page, or of the callback page. */
  readonly launch?: (script: string, app: BrokenApp) => string
  readonly callback?: (script: string, app: BrokenApp) => string
  /** How far the clock of the server is ahead. */
  readonly aheadMs?: number
  readonly headers?: AppSetup['headers']
  /** Answers in place of the app. */
  readonly answer?: (
    url: URL,
    app: BrokenApp,
  ) => Response | Promise<Response | undefined> | undefined
}

export const byHand = (mistake: ByHand): AppSetup => ({
  answer: async (url, app, request) =>
    (await mistake.answer?.(url, app)) ?? (await answer(url, app, request, mistake)),
})

async function answer(
  { pathname }: URL,
  app: BrokenApp,
  request: Request,
  { launch, callback, aheadMs = 0, headers = {} }: ByHand,
): Promise<Response | undefined> {
  const { service, origin, clientId } = app
  const known = `const base = '${service}', CLIENT_ID = '${clientId}'\n`
  const here = (script: string) => script.replaceAll('http://localhost:3000', origin)
  const unchanged = (script: string) => script
  const sdk = `<script src="${service}/sdk/v1/sdk.js" crossorigin="anonymous"></script>`
  const page = (tags: string) =>
    reply(`<!doctype html><title>${app.name}</title><script src="/report.js"></script>${tags}`, {
      ...headers,
      'content-type': 'text/html',
    })
  const code = (text: string) => reply(text, { 'content-type': 'text/javascript' })
  switch (pathname) {
    case '/report.js':
      return code(REPORT)
    case '/launch':
      return page('<script type="module" src="/launch.js"></script>')
    case '/callback':
      return page(`${sdk}<script type="module" src="/callback.js"></script>`)
    case '/launch.js': {
      const launchId = "const launchId = new URLSearchParams(location.search).get('launch_id')\n"
      return code((launch ?? unchanged)(known + launchId + here(LAUNCH), app))
    }
    case '/callback.js':
      return code((callback ?? unchanged)(known + CALLBACK + SDK, app))
    case '/exchange':
      return exchange(app, (await request.json()) as { code: string }, aheadMs)
    default:
      return undefined
  }
}

const reply = (text: string, headers: Readonly<Record<string, string>>) =>
  new Response(text, { headers })

type Exchange = (
  ...given: readonly [base: string, code: string, id: string, secret: string, date: typeof Date]
) => Promise<object>

const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => Exchange
const runExchange = new AsyncFunction(
  ...['base', 'code', 'client_id', 'client_secret', 'Date'],
  `${EXCHANGE}\nreturn { access_token, id_token }`,
)

async function exchange(
  { service, clientId, clientSecret }: BrokenApp,
  { code }: { readonly code: string },
  aheadMs: number,
): Promise<Response> {
  class ShiftedDate extends Date {
    static override now = () => Date.now() + aheadMs
  }
  try {
    const clock = ShiftedDate as typeof Date
    return Response.json(await runExchange(service, code, clientId, clientSecret, clock))
  } catch (error) {
    return Response.json({ error: (error as Error).message }, { status: 502 })
  }
}
