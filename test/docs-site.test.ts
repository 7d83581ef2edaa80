// The documentation as a site: every link and image leads somewhere, anchors are those of GitHub, every file is a
// page, and the search answers questions as developers type them.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSearch, findHits, loadSearch } from '../packages/docs-site/src/search-index.ts'
import { renderSite } from '../scripts/docs-site/build.ts'
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
    const base = new URL(`http://localhost/docs${address === '' ? '' : `/${address}`}`)
    for (const [, name, target = ''] of rendered.html.matchAll(/ (href|src)="([^"]+)"/g)) {
      const url = new URL(target, base)
      if (url.origin !== base.origin) continue
      count += 1
      const below = url.pathname.replace(/^\/docs\/?/, '')
      const isThere =
        name === 'src'
          ? globSync(below, { cwd: docs }).length === 1
          : url.hash === ''
            ? ids.has(below)
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
