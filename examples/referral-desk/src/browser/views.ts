// What the provider sees: referrals, and how the tokens of this launch came here; the end; a failure.
// Text stays text: no HTML string is parsed. Owns the DOM; what it shows was decided elsewhere.
import type { Referral } from '../desk/referrals.ts'

export interface DeskView {
  readonly name: string
  readonly practice: string
  readonly referrals: readonly Referral[]
}

export interface TokenView {
  readonly withIdToken: boolean
  /** What `getIdToken()` did. */
  readonly answer: string
}

const main = document.getElementById('app') ?? document.body

export function showDesk({ name, practice, referrals }: DeskView, tokens: TokenView): void {
  main.className = 'app'
  main.removeAttribute('aria-live')
  main.replaceChildren(
    el(
      'header',
      {},
      el('h1', {}, 'Referral Desk'),
      el(
        'p',
        { class: 'who' },
        el('strong', { id: 'provider' }, name),
        el('span', { id: 'practice' }, practice),
      ),
    ),
    el(
      'section',
      { 'aria-labelledby': 'referrals' },
      el('h2', { id: 'referrals' }, 'Referrals'),
      el('ul', { class: 'referrals' }, ...referrals.map(referralItem)),
    ),
    tokenSection(tokens),
  )
}

function referralItem({ patient, to, state }: Referral): HTMLElement {
  return el(
    'li',
    {},
    el('p', {}, el('strong', {}, patient), el('span', {}, to)),
    el('small', { class: state.toLowerCase() }, state),
  )
}

function tokenSection({ withIdToken, answer }: TokenView): HTMLElement {
  const facts: [string, string][] = [
    ['Access token', 'read by this app’s server from the identity provider'],
    ['ID token', withIdToken ? 'passed on by the server as well' : 'not passed on'],
  ]
  const rows = facts.flatMap(([term, words]) => [el('dt', {}, term), el('dd', {}, words)])
  return el(
    'section',
    { class: 'tokens' },
    el('h2', {}, 'How the tokens came here'),
    el(
      'dl',
      {},
      ...rows,
      el('dt', {}, 'getIdToken()'),
      el('dd', { id: 'id-token', class: 'code' }, answer),
    ),
    withIdToken
      ? el('a', { href: '/callback' }, 'Without the ID token')
      : el('a', { href: '/callback?with=id_token' }, 'Pass the ID token too'),
  )
}

export function showEnded(): void {
  main.className = 'middle'
  const words = 'The launch has ended, so this session was ended too.'
  main.replaceChildren(el('h1', {}, 'Referral Desk is closed'), el('p', {}, words))
}

export function showProblem(problem: { error: string; cause: string; fix: string }): void {
  const { error, cause, fix } = problem
  const facts = [el('dt', {}, 'Code'), el('dd', {}, error), el('dt', {}, 'Fix'), el('dd', {}, fix)]
  main.className = 'middle'
  main.replaceChildren(
    el(
      'section',
      { class: 'error', role: 'alert' },
      el('h1', {}, 'Referral Desk could not open'),
      el('p', {}, cause),
      el('dl', {}, ...facts),
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
