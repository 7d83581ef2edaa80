// How the EHRs without a page for each chart open one: `push` replaces the page and its path by pushState,
// `hash` follows the fragment. Every chart is in the page; one is shown. Knows nothing of apps.
import { readRoute } from './ehr-route.ts'

const { routing = 'hash', path = '' } = document.body.dataset

function show(): void {
  const { chart, page } = readRoute(routing, path, location)
  for (const element of document.querySelectorAll<HTMLElement>('[data-chart]')) {
    element.hidden = element.dataset.chart !== (chart ?? '')
    element.dataset.page = page
  }
  for (const link of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    link.ariaCurrent = link.dataset.opens === chart ? 'page' : null
  }
}

if (routing === 'push') {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!link || !isPlain) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    show()
  })
}
addEventListener('popstate', show)
addEventListener('hashchange', show)
show()
