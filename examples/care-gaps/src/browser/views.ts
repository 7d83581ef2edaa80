// What the provider sees: the board with its gaps, the end, a failure. Text stays text: no HTML string
// is parsed. Owns the DOM; what it shows was decided elsewhere.
import type { Gap } from '../gaps.ts'

export interface BoardView {
  readonly name: string
  readonly practice: string
  readonly gaps: readonly Gap[]
}

type Change = (id: string, closed: boolean) => Promise<readonly Gap[]>

const main = document.getElementById('app') ?? document.body

export function showBoard({ name, practice, gaps }: BoardView, change: Change): void {
  const count = el('p', { class: 'count', role: 'status' })
  const list = el('ul', { class: 'gaps' })
  const draw = (shown: readonly Gap[]): void => {
    const open = shown.filter(({ closed }) => !closed).length
    count.textContent = open === 0 ? 'Every gap is closed' : `${open} of ${shown.length} open`
    for (const gap of shown) {
      const item = list.querySelector(`[data-gap="${gap.id}"]`)
      item?.classList.toggle('closed', gap.closed)
      const box = item?.querySelector('input')
      if (box) box.checked = gap.closed
    }
  }
  list.append(...gaps.map((gap) => gapItem(gap, change, draw, count)))
  main.className = 'app'
  main.removeAttribute('aria-live')
  main.replaceChildren(
    el(
      'header',
      {},
      el('h1', {}, 'Care Gaps'),
      el(
        'p',
        { class: 'who' },
        el('strong', { id: 'provider' }, name),
        el('span', { id: 'practice' }, practice),
      ),
    ),
    count,
    list,
    el('p', { class: 'quiet' }, 'Invented patients. Closing a gap closes it for the practice.'),
  )
  draw(gaps)
}

function gapItem(
  { id, patient, what, due }: Gap,
  change: Change,
  draw: (gaps: readonly Gap[]) => void,
  status: HTMLElement,
): HTMLElement {
  const box = el('input', { type: 'checkbox', id: `gap-${id}` })
  box.addEventListener('change', () => {
    change(id, box.checked)
      .then(draw)
      .catch((error: unknown) => {
        box.checked = !box.checked
        status.textContent = error instanceof Error ? error.message : 'The change was not saved.'
      })
  })
  const label = el('label', { for: `gap-${id}` }, el('strong', {}, what), el('span', {}, patient))
  return el('li', { 'data-gap': id }, box, label, el('small', {}, due))
}

export function showEnded(): void {
  main.className = 'middle'
  const words = 'The launch has ended, so this session was ended too.'
  main.replaceChildren(el('h1', {}, 'Care Gaps is closed'), el('p', {}, words))
}

export interface ProblemView {
  readonly code: string
  readonly cause: string
  readonly fix: string
  readonly traceId: string | undefined
}

export function showProblem({ code, cause, fix, traceId }: ProblemView): void {
  const trace = traceId ? [el('dt', {}, 'Trace'), el('dd', {}, traceId)] : []
  const facts = [el('dt', {}, 'Code'), el('dd', {}, code), el('dt', {}, 'Fix'), el('dd', {}, fix)]
  main.className = 'middle'
  main.replaceChildren(
    el(
      'section',
      { class: 'error', role: 'alert' },
      el('h1', {}, 'Care Gaps could not open'),
      el('p', {}, cause),
      el('dl', {}, ...facts, ...trace),
    ),
  )
}

function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value)
  }
  element.append(...children)
  return element
}
