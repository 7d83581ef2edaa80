// The app that the provider sees: who is there, by the verified token beside what the page was told,
// and notes of the visit. Owns the markup; the facts come from the app's server and the SDK.
// Spec §2.5 (context is not proof), §5.4 (the verified token is).
import type { ServiceSDK } from '@chartside/sdk'
import { el } from './elements.ts'
import type { AppSession } from './session.ts'

interface Me {
  readonly userId: string
  readonly name: string | null
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
}

interface Note {
  readonly text: string
  readonly author: string
  readonly at: string
}

const TEMPLATES: Readonly<Record<string, string>> = {
  Blank: '',
  'Follow-up': 'Interval history:\n\nToday:\n\nPlan:\n',
  'Annual visit': 'Concerns:\n\nScreening due:\n\nPlan:\n',
}

export async function showApp(session: AppSession, sdk: ServiceSDK): Promise<void> {
  const [me, notes] = await Promise.all([
    session.request<Me>('GET', '/api/me'),
    session.request<{ items: Note[] }>('GET', '/api/notes'),
  ])
  const main = document.getElementById('app') ?? document.body
  main.className = 'app'
  main.removeAttribute('aria-live')
  main.replaceChildren(
    el(
      'header',
      {},
      el('h1', {}, 'Visit Notes'),
      el(
        'p',
        { class: 'who' },
        el('strong', { id: 'provider' }, me.name ?? me.userId),
        el('span', { id: 'practice' }, me.account.name),
      ),
    ),
    notesSection(session, notes.items),
    identitySection(me, sdk),
  )
}

export function showEnded(): void {
  const main = document.getElementById('app') ?? document.body
  main.className = 'middle'
  main.replaceChildren(
    el(
      'section',
      { class: 'ended', role: 'status' },
      el('h1', {}, 'Visit Notes is closed'),
      el('p', {}, 'The launch has ended, so this session was ended too. Nothing was kept here.'),
    ),
  )
}

function notesSection(session: AppSession, saved: readonly Note[]): HTMLElement {
  const text = el('textarea', { id: 'note', rows: '6', required: '', maxlength: '4000' })
  const template = el(
    'select',
    { id: 'template' },
    ...Object.keys(TEMPLATES).map((name) => el('option', {}, name)),
  )
  template.addEventListener('change', () => {
    text.value = TEMPLATES[template.value] ?? ''
    text.focus()
  })
  const list = el('ol', { class: 'notes', 'aria-live': 'polite' }, ...saved.map(noteItem))
  const problem = el('p', { class: 'problem', role: 'alert' })
  const form = el(
    'form',
    {},
    el('div', { class: 'row' }, el('label', { for: 'template' }, 'Template'), template),
    el('label', { for: 'note' }, 'Note'),
    text,
    el('button', { type: 'submit' }, 'Save note'),
    problem,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.textContent = ''
    session
      .request<Note>('POST', '/api/notes', { text: text.value })
      .then((note) => {
        list.prepend(noteItem(note))
        form.reset()
      })
      .catch((error: unknown) => {
        problem.textContent = error instanceof Error ? error.message : 'The note was not saved.'
      })
  })
  return el('section', { 'aria-label': 'Notes' }, form, list)
}

function noteItem(note: Note): HTMLElement {
  const at = new Date(note.at)
  const time = el('time', { datetime: note.at }, at.toLocaleTimeString([], { timeStyle: 'short' }))
  return el('li', {}, el('p', {}, note.text), el('small', {}, `${note.author} · `, time))
}

/** The same facts from two sources; only the left column may decide anything on a server. */
function identitySection(me: Me, sdk: ServiceSDK): HTMLElement {
  const context = sdk.sessionContext
  const rows: [string, string, string][] = [
    ['User', me.userId, context?.userId ?? '–'],
    ['Practice', me.account.name, context?.account.name ?? '–'],
    ['EHR', me.ehrType, context?.ehrType ?? '–'],
  ]
  return el(
    'section',
    { class: 'identity' },
    el('h2', {}, 'Who is here'),
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('td', {}),
          el('th', { scope: 'col' }, 'Verified token'),
          el('th', { scope: 'col' }, 'Session context'),
        ),
      ),
      el(
        'tbody',
        {},
        ...rows.map(([name, verified, told]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name),
            el('td', {}, verified),
            el('td', {}, told),
          ),
        ),
      ),
    ),
    el(
      'p',
      { class: 'quiet' },
      'This server checked the signature of the left column. The right one is what the page was told.',
    ),
  )
}
