// The documentation as a site: every link and image leads somewhere, anchors are those of GitHub, every file is a
// page, and the search answers questions as developers type them.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSearch, findHits, loadSearch } from '../packages/docs-site/src/search-index.ts'
import { renderSite } from '../scripts/docs-site/build.ts'
import { DOWNLOADS } from '../scripts/docs-site/downloads.ts'
import { renderMarkdown, slugOf } from '../scripts/docs-site/markdown.ts'
import { resolveFile } from '../scripts/docs-site/pages.ts'

const docs = fileURLToPath(new URL('../docs', import.meta.url))
const site = renderSite()
const search = loadSearch(JSON.stringify(buildSearch(site.entries)))

const TARGETS = { link: (href: string) => ({ address: href, path: href }), image: String }

test('every Markdown file of docs is one page, and no two have one address', () => {
  const files = globSync('{README.md,*/**/*.md}', { cwd: docs })
  const made = site.pages.map(({ file }) => file)
  assert.deepEqual(
    files.filter((file) => !made.includes(file)),
    [],
  )
  const addresses = site.pages.map(({ address }) => address)
  assert.equal(new Set(addresses).size, addresses.length)
})

test('every link leads to a page and an anchor of it, every image to a file', () => {
  const ids = new Map(
    site.pages.map(({ address, rendered }) => [
      address,
      new Set([...rendered.html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  )
  const broken: string[] = []
  let count = 0
  for (const { address, rendered } of site.pages) {
    const base = new URL(`http://docs.test/docs${address === '' ? '' : `/${address}`}`)
    for (const [, name, target = ''] of rendered.html.matchAll(/ (href|src)="([^"]+)"/g)) {
      const url = new URL(target, base)
      if (url.origin !== base.origin) continue
      count += 1
      const below = url.pathname.replace(/^\/docs\/?/, '')
      const isThere =
        name === 'src'
          ? globSync(below, { cwd: docs }).length === 1
          : url.hash === ''
            ? ids.has(below) || DOWNLOADS.some((download) => download.name === below)
            : ids.get(below)?.has(decodeURIComponent(url.hash.slice(1)))
      if (!isThere) broken.push(`${address}: ${target}`)
    }
  }
  assert.ok(count > 500, `${count} links`)
  assert.deepEqual(broken, [])
})

test('anchors are those of GitHub, and rows that a code names have their own', () => {
  for (const [title, slug] of [
    ['What ends with a launch', 'what-ends-with-a-launch'],
    ['164.312(a)(2)(iv) Encryption (A)', '164312a2iv-encryption-a'],
    ['Who — or what — may call?', 'who--or-what--may-call'],
    ['`GET /api/apps/:id`', 'get-apiappsid'],
    ['snake_case, Ärzte & co.', 'snake_case-ärzte--co'],
  ] as const) {
    assert.equal(slugOf(title), slug)
  }
  const { html, headings } = renderMarkdown(
    '# A\n\n## Same\n\n## Same\n\n## A `code` [link](x.md)\n\n| c | d |\n|---|---|\n| `same` | 1 |\n| `GET` | `/x` |\n| `a`, `b` | 2 |\n',
    TARGETS,
  )
  assert.deepEqual(
    headings.map(({ anchor }) => anchor),
    ['a', 'same', 'same-1', 'a-code-link'],
  )
  assert.deepEqual(
    [...html.matchAll(/<tr id="([^"]+)"/g)].map(([, id]) => id),
    ['same-2', 'get-x'],
  )
})

test('shows raw HTML as text, and names what is outside of the site without a link', () => {
  const { html } = renderMarkdown('A <b>tag</b>, [the source](../x/y.ts), [y.ts](../x/y.ts)', {
    ...TARGETS,
    link: (href) => ({ address: undefined, path: resolveFile('build/a.md', href) }),
  })
  assert.match(html, /A &#60;b&#62;tag&#60;\/b&#62;, the source \(<code>x\/y.ts<\/code>\), y.ts/)
})

test('a link that is the name of a file shows the title of its page', () => {
  const { html } = renderMarkdown('[your-app.md](x), [build/your-app](x), [the way in](x)', {
    ...TARGETS,
    link: () => ({ address: 'x', path: 'build/your-app.md', title: 'An app & you' }),
  })
  const shown = [...html.matchAll(/<a href="x">([^<]+)<\/a>/g)].map(([, words]) => words)
  assert.deepEqual(shown, ['An app &#38; you', 'An app &#38; you', 'the way in'])
})

/** Questions as they are typed, and the section that must be among the first three hits. */
const QUESTIONS: readonly (readonly [question: string, address: string])[] = [
  ['invalid_grant', 'build/errors#invalid_grant'],
  ['refused to connect', 'build/questions#why-does-the-panel-say-refused-to-connect'],
  ['frame-ancestors', 'build/app-security#the-frame'],
  [
    'content security policy for my app',
    'build/by-hand#4-the-sdk-script-and-your-content-security-policy',
  ],
  ['how long does an access token live', 'build/questions#how-long-does-an-access-token-live'],
  ['rotate a client secret', 'build/questions#how-do-i-rotate-a-client-secret'],
  ['redirect uri differs', 'build/reasons#redirect_uri_mismatch'],
  ['blocked third-party cookies', 'build/preflight#cookie_not_partitioned'],
  ['fhirclient', 'build/any-oauth-client#your-smart-app'],
  ['local https', 'build/questions#do-i-need-https-on-my-machine'],
  ['PKCE', 'build/by-hand#with-pkce'],
  ['refresh token', 'build/questions#is-there-a-refresh-token'],
  ['which claims does the id token have', 'build/questions#which-claims-does-the-id-token-have'],
  ['get the patient id', 'build/questions#how-do-i-get-the-patient'],
  ['StrictMode exchange runs twice', 'build/questions#why-does-react-exchange-the-code-twice'],
  ['python authlib', 'build/questions#can-i-use-my-own-oauth-library-or-python'],
  ['follow launches in the terminal', 'build/going-live#follow-launches-in-a-terminal'],
  ['verify webhook signature', 'build/webhooks#webhook-signature'],
  ['log the user out of my app', 'build/logout#when'],
  ['test my app in CI', 'build/questions#how-do-i-test-my-app-in-ci'],
  ['how do I register an app', 'build/by-hand#1-register-it'],
  ['run my app in the sandbox', 'build/sandbox#an-app-of-your-own'],
  ['what happens when the chart changes', 'build/your-app#another-chart'],
  ['HANDSHAKE_TIMEOUT', 'build/errors#handshake_timeout'],
  ['launch_used', 'build/reasons#launch_used'],
  ['CORS token endpoint', 'build/errors#token_fetch_error'],
  ['code_verifier missing', 'build/reasons#verifier_missing'],
  ['deprecation policy', 'build/versioning'],
  ['pagination cursor', 'build/api#lists'],
  ['optimistic locking If-Match', 'build/api#entity-tags'],
  ['error codes of the API', 'build/api#errors'],
  ['rate limit 429', 'operate/callers#limits-on-failures'],
  ['region_not_allowed', 'build/errors#region_not_allowed'],
  ['PgBouncer', 'operate/operations#a-pooler-in-front-of-postgresql'],
  ['restore a backup', 'operate/backup#restore'],
  ['upgrade without downtime', 'operate/operations#a-rolling-upgrade'],
  ['rotate signing keys', 'operate/keys#rotate-by-hand'],
  ['clock skew', 'operate/operations#clocks'],
  ['nginx config', 'operate/proxies#nginx'],
  ['prometheus metrics', 'operate/operations#metrics-and-logs'],
  ['Okta SCIM', 'operate/directories#okta'],
  ['Entra ID single sign-on', 'operate/practice-provider#entra-id'],
  ['install the extension by policy', 'operate/extension#for-the-it-department'],
  ['HIPAA audit log retention', 'operate/compliance'],
  ['kill switch', 'use/console-setup#apps'],
  ['who saw what', 'use/console-launches#who-saw-what'],
  ['second factor lost phone', 'use/sign-in#second-factor'],
  ['reset a password', 'use/sign-in#invitations-and-resets'],
]

test('the search has the answer to each question among its first three hits', () => {
  const missed = QUESTIONS.flatMap(([question, address]) => {
    const hits = findHits(search, question).slice(0, 3)
    return hits.some((hit) => hit.address === address)
      ? []
      : [`${question}: ${hits.map((hit) => hit.address).join(', ')}`]
  })
  assert.deepEqual(missed, [])
})
