// The search box as a combobox: `/` focuses it, arrow keys and Enter choose, Escape closes. It fetches the
// index when it is first used, from the same site. Builds elements, never markup from text.
import { findHits, type Hit, loadSearch, type Search } from './search-index.ts'

interface Box {
  readonly input: HTMLInputElement
  readonly found: HTMLElement
  readonly list: HTMLElement
  readonly status: HTMLElement
}

/** Returns the address of a hit on the site, which the root element names. */
const addressOf = (hit: Hit): string => `${document.documentElement.dataset.docs}/${hit.address}`

let index: Promise<Search> | undefined

function loadIndex(): Promise<Search> {
  index ??= fetch(document.documentElement.dataset.search ?? '')
    .then((answer) => answer.text())
    .then(loadSearch)
  // The next key tries again.
  index.catch(() => {
    index = undefined
  })
  return index
}

function textElement(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

function optionOf(hit: Hit, place: number): HTMLElement {
  const option = document.createElement('li')
  option.id = `hit-${place}`
  option.role = 'option'
  option.ariaSelected = 'false'
  option.dataset.address = addressOf(hit)
  option.append(textElement('small', hit.path), textElement('strong', hit.title))
  if (hit.excerpt !== '') option.append(textElement('span', hit.excerpt))
  return option
}

function show({ input, found, list, status }: Box, hits: readonly Hit[]): void {
  list.replaceChildren(...hits.map(optionOf))
  status.textContent =
    hits.length === 0 ? 'Nothing found. Try another word.' : `${hits.length} results`
  status.classList.toggle('unseen', hits.length > 0)
  found.hidden = false
  input.ariaExpanded = 'true'
  select(input, list, hits.length > 0 ? 0 : -1)
}

function close({ input, found, list }: Box): void {
  found.hidden = true
  input.ariaExpanded = 'false'
  select(input, list, -1)
}

const selectedIn = (list: HTMLElement): number =>
  [...list.children].findIndex((option) => option.ariaSelected === 'true')

function select(input: HTMLElement, list: HTMLElement, place: number): void {
  for (const option of list.children) option.ariaSelected = 'false'
  const option = list.children[place]
  if (!option) {
    input.removeAttribute('aria-activedescendant')
    return
  }
  option.ariaSelected = 'true'
  option.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', option.id)
}

function go(box: Box, option: Element | null | undefined): void {
  const address = option instanceof HTMLElement ? option.dataset.address : undefined
  if (address === undefined) return
  close(box)
  box.input.blur()
  location.assign(address)
}

async function update(box: Box): Promise<void> {
  const query = box.input.value.trim()
  if (query === '') return close(box)
  try {
    const search = await loadIndex()
    // Another key came meanwhile.
    if (box.input.value.trim() === query) show(box, findHits(search, query))
  } catch {
    show(box, [])
    box.status.textContent = 'The search could not be loaded. Type again to retry.'
  }
}

function onKey(box: Box, event: KeyboardEvent): void {
  const { list, input } = box
  const count = list.children.length
  const place = selectedIn(list)
  if (event.key === 'Escape' && !box.found.hidden) close(box)
  else if (event.key === 'ArrowDown') select(input, list, (place + 1) % Math.max(count, 1))
  else if (event.key === 'ArrowUp') select(input, list, (Math.max(place, 0) + count - 1) % count)
  else if (event.key === 'Enter') go(box, list.children[place])
  else return
  event.preventDefault()
}

/** Keys that the reader types into a field, or with a modifier, are not for the search. */
const isForSearch = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === '/' &&
  !(ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.closest('input, textarea, select'))

export function startSearch(): void {
  const area = document.querySelector<HTMLElement>('.search')
  const input = area?.querySelector('input')
  const found = area?.querySelector<HTMLElement>('.found')
  const list = area?.querySelector<HTMLElement>('[role=listbox]')
  const status = area?.querySelector<HTMLElement>('[role=status]')
  if (!(area && input && found && list && status)) return
  const box = { input, found, list, status }
  area.hidden = false
  input.addEventListener('focus', () => void loadIndex().catch(() => {}))
  input.addEventListener('input', () => void update(box))
  input.addEventListener('keydown', (event) => onKey(box, event))
  // The pointer goes down in the list before the field loses the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    go(box, event.target instanceof Element ? event.target.closest('[role=option]') : null)
  })
  area.addEventListener('focusout', () => close(box))
  document.addEventListener('keydown', (event) => {
    if (!isForSearch(event)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
