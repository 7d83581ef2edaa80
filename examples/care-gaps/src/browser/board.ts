// What the provider sees: the gaps of the practice, each with a box to close it. Owns the list; whose
// gaps they are was decided by the server.
import { el, showApp, type WhoIsHere } from '@chartside/example-app-shell/browser'
import type { Gap } from '../gaps.ts'

export interface BoardView extends WhoIsHere {
  readonly gaps: readonly Gap[]
}

type Change = (id: string, closed: boolean) => Promise<readonly Gap[]>

export function showBoard({ gaps, ...who }: BoardView, change: Change): void {
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
  const note = 'Invented patients. Closing a gap closes it for the practice.'
  showApp(who, count, list, el('p', { class: 'quiet' }, note))
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
