// Writes the document of a page: the bar with the search, the pages by reader, the text with its contents, and
// what comes before and after. All addresses are relative, and no element has a style or a script of its
// own, as the content security policy of the service wants it. Pure.
import { EMPTY_HTML, type Html, html } from '../../packages/server/src/http/html/page.ts'
import type { Heading, Rendered } from './markdown.ts'
import { type Group, linkTo, type Source } from './pages.ts'

export interface Site {
  readonly groups: readonly Group[]
  /** Addresses below /docs. */
  readonly script: string
  readonly sheet: string
  readonly search: string
}

/** Pages of these folders are many: the navigation names the page above them only. */
const FOLDED = /^inside\/decisions\//

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

export function buildDocument(site: Site, page: Source, rendered: Rendered): string {
  const to = (address: string) => linkTo(page.address, address)
  const title = page.address === '' ? 'Chartside documentation' : `${page.title} · Chartside`
  return html`<!doctype html>
<html lang="en" data-docs="${to('')}" data-search="${to(site.search)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to(site.sheet)}">
<script type="module" src="${to(site.script)}"></script>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${to('')}">Chartside <span>documentation</span></a>
<search class="search" hidden>
<label class="unseen" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<div class="found" hidden><ul id="hits" role="listbox" aria-label="Results"></ul><p class="quiet" role="status"></p></div>
</search>
<button class="menu" popovertarget="pages">Pages</button>
</header>
<div class="columns">
<nav id="pages" class="pages" aria-label="Pages" popover>
${site.groups.map((group) => buildGroup(group, page, to))}
</nav>
<main id="content" tabindex="-1">
${buildContents(rendered.headings)}
<article>
${{ html: rendered.html }}
</article>
${buildAround(site.groups, page, to)}
</main>
</div>
</body>
</html>
`.html
}

function buildGroup(
  { reader, people, pages }: Group,
  page: Source,
  to: (a: string) => string,
): Html {
  const above = page.address.replace(/\/[^/]+$/, '')
  const links = pages
    .filter(({ address }) => !FOLDED.test(address))
    .map(({ address, title }) => {
      if (address === page.address) {
        return html`<li><a href="${to(address)}" aria-current="page">${title}</a></li>`
      }
      const isAbove = FOLDED.test(page.address) && address === above
      return isAbove
        ? html`<li><a href="${to(address)}" aria-current="true">${title}</a></li>`
        : html`<li><a href="${to(address)}">${title}</a></li>`
    })
  return html`<h2>${capitalized(reader)} <small>${people}</small></h2>
<ul>
${links}
</ul>`
}

/** The headings of the second and third level; closed on a narrow screen. */
function buildContents(headings: readonly Heading[]): Html {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return EMPTY_HTML
  const items = shown.map(({ depth, anchor, title }) =>
    depth === 2
      ? html`<li><a href="#${anchor}">${title}</a></li>`
      : html`<li class="below"><a href="#${anchor}">${title}</a></li>`,
  )
  return html`<details class="contents"><summary>On this page</summary>
<nav aria-label="On this page"><ul>
${items}
</ul></nav></details>`
}

function buildAround(groups: readonly Group[], page: Source, to: (a: string) => string): Html {
  const pages = groups.flatMap((group) => group.pages)
  const place = pages.findIndex(({ address }) => address === page.address)
  const before = place > 0 ? pages[place - 1] : undefined
  const after = pages[place + 1]
  const link = (words: string, kind: string, other: Source | undefined) =>
    other
      ? html`<a class="${kind}" rel="${kind}" href="${to(other.address)}"><small>${words}</small> ${other.title}</a>`
      : EMPTY_HTML
  return html`<nav class="around" aria-label="Before and after">
${link('Before', 'prev', before)}
${link('Next', 'next', after)}
</nav>`
}
