// What the provider sees: the gaps of the practice, each with a box to close it, and a message that
// may stay unfinished. A launch names no patient, so this is the list of the practice, not of the chart
// beside it. Owns the list; the server decides whose gaps they are.
import { buildDraftField, el, type OpenedLaunch, show, userHeader } from '@chartside/app-kit/page'
import type { ServiceSDK } from '@chartside/sdk'
import type { Gap } from '../gaps.ts'

interface GapsReply {
  readonly user: { readonly name: string; readonly practice: string }
  readonly gaps: readonly Gap[]
}

type UpdateGap = (id: string, closed: boolean) => Promise<readonly Gap[]>

export async function showApp({ session, sdk }: OpenedLaunch<ServiceSDK>): Promise<void> {
  const { user, gaps } = await session.request<GapsReply>('GET', '/api/gaps')
  const update: UpdateGap = async (id, closed) => {
    const reply = await session.request<GapsReply>('PUT', `/api/gaps/${id}`, { closed })
    return reply.gaps
  }
  const label = 'Message to the team, kept until you delete it'
  const message = await buildDraftField({ session, sdk, name: 'message', label })
  const note =
    'These are patients of the practice, not of the chart beside this. All are invented. Closing a gap closes it for the practice.'
  show(
    'app',
    userHeader(user),
    el('h2', {}, 'Practice list'),
    ...buildList(gaps, update),
    message,
    el('p', { class: 'quiet' }, note),
  )
}

function buildList(gaps: readonly Gap[], update: UpdateGap): HTMLElement[] {
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
  const save = async (gap: Gap, box: HTMLInputElement): Promise<void> => {
    try {
      draw(await update(gap.id, box.checked))
    } catch (error) {
      box.checked = !box.checked
      count.textContent = error instanceof Error ? error.message : 'The change was not saved.'
    }
  }
  list.append(...gaps.map((gap) => buildItem(gap, save)))
  draw(gaps)
  return [count, list]
}

function buildItem(
  gap: Gap,
  save: (gap: Gap, box: HTMLInputElement) => Promise<void>,
): HTMLElement {
  const { id, patient, what, due } = gap
  const box = el('input', { type: 'checkbox', id: `gap-${id}` })
  box.addEventListener('change', () => void save(gap, box))
  const label = el('label', { for: `gap-${id}` }, el('strong', {}, what), el('span', {}, patient))
  return el('li', { 'data-gap': id }, box, label, el('small', {}, due))
}
