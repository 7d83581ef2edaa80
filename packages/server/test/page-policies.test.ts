// The whole policy of every route that answers HTML, in one table: a page that is new, or loses a header, needs a
// row here. Security H01, V43.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

/** Of these headers an answer has exactly what its row says, and no other. */
const NAMES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'cross-origin-embedder-policy',
  'permissions-policy',
  'x-frame-options',
  'cache-control',
] as const
type Policy = Partial<Record<(typeof NAMES)[number], string>>

const EVERY: Policy = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
}
const OWN = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const page = (scripts = ''): Policy => ({
  ...EVERY,
  'content-security-policy': `default-src 'none'; style-src 'sha256-…';${scripts} ${OWN}`,
})

const PAGE = page()
const SIGN_IN = page(' script-src https://chartside.test/auth/sign-in.mjs;')
const CONSOLE: Policy = {
  ...EVERY,
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    `${OWN}; require-trusted-types-for 'script'; trusted-types 'none'`,
}

/** Each route that answers HTML, by its operation. */
const POLICIES: Readonly<Record<string, Policy>> = {
  // Its page of an error stands in the frame of the host.
  authorize: {
    ...EVERY,
    'content-security-policy': `default-src 'none'; style-src 'sha256-…'; base-uri 'none'; form-action 'self'; frame-ancestors ${HOST_ORIGIN}`,
  },
  doc: {
    ...EVERY,
    'cache-control': 'public, max-age=300',
    'content-security-policy':
      "default-src 'none'; style-src 'sha256-…'; script-src https://chartside.test/doc/filter.mjs; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  showSignInPage: SIGN_IN,
  signInWithPassword: PAGE,
  signInWithPasskey: PAGE,
  redirectToProvider: PAGE,
  oidcCallback: PAGE,
  accountProviderCallback: PAGE,
  showPracticePage: PAGE,
  showSecondFactorPage: PAGE,
  verifySecondFactor: PAGE,
  showEnrolment: PAGE,
  enrol: PAGE,
  showJoining: PAGE,
  joinAccounts: PAGE,
  showConsent: PAGE,
  approve: PAGE,
  showInvitation: PAGE,
  setPassword: PAGE,
  addPasskey: PAGE,
  showBinding: PAGE,
  bindAccount: PAGE,
  showConsole: CONSOLE,
  showConsolePage: CONSOLE,
  showDocs: { ...CONSOLE, 'cache-control': 'public, max-age=300' },
  // Of a file that does not exist.
  showConsoleFile: PAGE,
  showDocsPage: PAGE,
}

interface Asked {
  readonly operation: string
  readonly path: string
  readonly method: 'GET' | 'POST'
}

/** Each address of the table, as a browser asks for it. */
const listAsked = (): Asked[] =>
  (ROUTES as readonly Route[]).flatMap(({ operation, path, ...route }) => {
    const methods = route.surface === 'oauth' ? route.methods : [route.method]
    const asked = methods.filter((method) => method === 'GET' || route.surface === 'page')
    return asked.map((method) => ({ operation, path, method: method as Asked['method'] }))
  })

async function policyOf({ path, method }: Asked): Promise<Policy | undefined> {
  const answer = await story.service.server.inject({
    method,
    url: path.replace('*', 'launches'),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' ? { payload: 'step=x' } : {}),
  })
  if (!String(answer.headers['content-type']).startsWith('text/html')) return undefined
  const found = NAMES.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined
      ? []
      : [[name, String(value).replace(/'sha256-[^']+'/g, "'sha256-…'")]]
  })
  return Object.fromEntries(found)
}

test('sends with each page exactly the policy of its row [H01, V43]', async () => {
  const seen: Record<string, Policy> = {}
  for (const asked of listAsked()) {
    const policy = await policyOf(asked)
    if (policy) seen[asked.operation] = policy
  }
  assert.deepEqual(seen, POLICIES)
})
