// What the provider sees: the referrals of the practice, a message that may stay unfinished, and what
// option 3 means for the tokens of this page. A launch names no patient, so the list is not of the chart
// beside it. Owns the DOM; decides nothing. Spec §5.3 rule 4.
import { buildDraftField, el, type OpenedLaunch, show, userHeader } from '@chartside/app-kit/page'
import type { ServiceSDK } from '@chartside/sdk'
import type { Referral } from '../referrals.ts'

interface ReferralsReply {
  readonly user: { readonly name: string; readonly practice: string }
  readonly referrals: readonly Referral[]
}

export async function showApp({ session, sdk }: OpenedLaunch<ServiceSDK>): Promise<void> {
  const { user, referrals } = await session.request<ReferralsReply>('GET', '/api/referrals')
  const list = el('ul', { class: 'referrals' }, ...referrals.map(buildItem))
  const heading = el('h2', { id: 'referrals' }, 'Practice list')
  const note = 'Referrals of the practice, not of the chart beside this. All patients are invented.'
  const section = el('section', { 'aria-labelledby': 'referrals' }, heading, list)
  const label = 'Message to the desk, kept until you delete it'
  const message = await buildDraftField({ session, sdk, name: 'message', label })
  const tokens = buildTokens(await tryGetIdToken(sdk))
  show('app', userHeader(user), section, el('p', { class: 'quiet' }, note), message, tokens)
}

function buildItem({ patient, to, state }: Referral): HTMLElement {
  return el(
    'li',
    {},
    el('p', {}, el('strong', {}, patient), el('span', {}, to)),
    el('small', { class: state.toLowerCase() }, state),
  )
}

function buildTokens(outcome: string): HTMLElement {
  const rows = [
    el('dt', {}, 'Access token'),
    el('dd', {}, 'read by this app’s server from the identity provider'),
    el('dt', {}, 'getIdToken()'),
    el('dd', { id: 'id-token', class: 'code' }, outcome),
  ]
  const heading = el('h2', {}, 'The tokens of this page')
  return el('section', { class: 'tokens' }, heading, el('dl', {}, ...rows))
}

/** The provider consumed the token response, so the SDK holds no ID token. */
async function tryGetIdToken({ sessionContext }: ServiceSDK): Promise<string> {
  try {
    await sessionContext?.getIdToken()
    return 'resolves'
  } catch (error) {
    return `rejects: ${(error as { code?: string }).code}`
  }
}
