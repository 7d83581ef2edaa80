// The script of every page of the documentation: search, buttons that copy code, and what is wide can be
// scrolled by keyboard. The page is whole without it.
import { startSearch } from './search-box.ts'

const COPIED_MS = 2000

function addCopyButton(block: Element): void {
  const code = block.querySelector('code')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.ariaLive = 'polite'
  button.addEventListener('click', () => {
    const say = (words: string) => {
      button.textContent = words
      setTimeout(() => {
        button.textContent = 'Copy'
      }, COPIED_MS)
    }
    navigator.clipboard.writeText(code?.textContent.trimEnd() ?? '').then(
      () => say('Copied'),
      () => say('Select the text instead'),
    )
  })
  block.append(button)
}

/** Gives the focus to an element that is wider than the page, so that arrow keys scroll it. */
function watchWidth(element: HTMLElement, label: string): void {
  const measure = () => {
    const isWide = element.scrollWidth > element.clientWidth
    if (isWide) {
      element.tabIndex = 0
      element.role = 'region'
      element.ariaLabel = label
    } else {
      element.removeAttribute('tabindex')
      element.role = null
      element.ariaLabel = null
    }
  }
  // Now, for who comes before the first frame, and at each change.
  measure()
  new ResizeObserver(measure).observe(element)
}

/** Opens the contents where there is room for them beside the text; above it they stay closed. */
function openContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents')
  const wide = matchMedia('(min-width: 75rem)')
  const fit = () => {
    if (contents) contents.open = wide.matches
  }
  wide.addEventListener('change', fit)
  fit()
}

startSearch()
openContents()
for (const block of document.querySelectorAll('.code')) addCopyButton(block)
for (const [place, code] of document.querySelectorAll('pre').entries()) {
  watchWidth(code, `Code ${place + 1}`)
}
for (const [place, table] of document.querySelectorAll<HTMLElement>('.wide').entries()) {
  watchWidth(table, `Table ${place + 1}`)
}
// A browser scrolls to an anchor before the contents open.
document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
