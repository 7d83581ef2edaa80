// What the provider sees: referrals, and how the tokens of this launch came here. Owns the DOM of both;
// what it shows was decided elsewhere.
import { el, showApp, type WhoIsHere } from '@chartside/example-app-shell/browser'
import type { Referral } from '../desk/referrals.ts'

export interface DeskView extends WhoIsHere {
  readonly referrals: readonly Referral[]
}

export interface TokenView {
  readonly withIdToken: boolean
  /** What `getIdToken()` did. */
  readonly answer: string
}

export function showDesk({ referrals, ...who }: DeskView, tokens: TokenView): void {
  const list = el('ul', { class: 'referrals' }, ...referrals.map(referralItem))
  const heading = el('h2', { id: 'referrals' }, 'Referrals')
  const section = el('section', { 'aria-labelledby': 'referrals' }, heading, list)
  showApp(who, section, tokenSection(tokens))
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
      ? reloadLink('/callback', 'Without the ID token')
      : reloadLink('/callback?with=id_token', 'Pass the ID token too'),
  )
}

/** The app's session is this page's: it is still there after a reload, and not on another page. */
function reloadLink(href: string, words: string): HTMLElement {
  const link = el('a', { href }, words)
  link.addEventListener('click', (event) => {
    event.preventDefault()
    history.replaceState(history.state, '', href)
    location.reload()
  })
  return link
}
