// What is left to set up in a scope, in the order in which it is done: read from the records, so that a
// step is ticked by having been done and by nothing else.
import type { App, PlatformUser } from '@chartside/protocol/payloads'
import { loadAccount } from '../../api/accounts.ts'
import { listFaultRuns, listSecrets, loadLastPreflight } from '../../api/apps.ts'
import { api, type CallOptions, type Page, withQuery } from '../../api/client.ts'
import { loadSecondFactor } from '../../api/credentials.ts'
import { listLaunches } from '../../api/launches.ts'
import { listAdministrators, listMembers } from '../../api/members.ts'
import { listAccounts } from '../../api/people.ts'
import { BASE, ENVIRONMENT, ORIGIN } from '../../installation.ts'
import { findScopedPage, personalAddress, scopedAddress } from '../../route/addresses.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { listFirstAppSteps, registerStep, type Step } from './app-steps.ts'

/** An app none of whose newest became ready has its first launch before it again. */
const NEWEST = 20

/** Loads the steps; none for a person who sets nothing up. */
export async function loadSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  if (scope.kind === 'platform') return platformSteps(scope, options)
  if (isAllowedIn(scope, 'run')) return accountSteps(scope, options)
  return isAllowedIn(scope, 'develop') ? appSteps(scope, options) : []
}

async function platformSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  const admins = withQuery('/api/users', { role: 'admin', disabled: 'false', limit: 10 })
  const [factor, users, accounts] = await Promise.all([
    loadSecondFactor(options),
    api.get<Page<PlatformUser>>(admins, options),
    listAccounts(undefined, options),
  ])
  return [
    ...administratorSteps(scope, {
      isProtected: factor.state === 'on',
      count: users.items.filter(({ isEmergency }) => !isEmergency).length,
    }),
    {
      title: 'Create the first account',
      text: 'A practice whose providers work in an EHR, or a vendor that builds apps.',
      isDone: accounts.items.length > 0,
      address: scopedAddress(scope, 'accounts'),
    },
  ]
}

const administratorSteps = (
  scope: Scope,
  { isProtected, count }: { readonly isProtected: boolean; readonly count: number },
): readonly Step[] => [
  {
    title: 'Protect your own sign-in',
    text: 'A second factor, or a passkey: you can change everything here.',
    isDone: isProtected,
    address: personalAddress('settings/sign-in'),
  },
  {
    title: 'Add a second administrator',
    text: 'So that one of you can help when the other cannot sign in.',
    isDone: count > 1,
    address: scopedAddress(scope, 'people'),
  },
]

async function accountSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  const [factor, administrators, members, { data: account }, apps] = await Promise.all([
    loadSecondFactor(options),
    listAdministrators(scope.id, options),
    listMembers(scope.id, '', undefined, options),
    loadAccount(scope.id, options),
    appSteps(scope, options),
  ])
  const isPractice = account.collection !== null
  const runs = {
    title: 'Choose what runs where',
    text: 'A collection names the EHRs and the apps that open in each; publish it and assign it.',
    isDone: isPractice,
    address: scopedAddress(scope, isPractice ? 'running' : 'collections'),
  }
  // Only the step to register: it has no app, and a practice needs none.
  const hasApp = apps.length > 1
  return [
    ...administratorSteps(scope, {
      isProtected: factor.state === 'on',
      count: administrators.length,
    }),
    {
      title: 'Invite the people',
      text: 'Providers open apps in the EHR; developers register them; administrators do the rest.',
      isDone: members.items.length > 1,
      address: scopedAddress(scope, 'people'),
    },
    ...(hasApp || !isPractice ? apps : []),
    ...(findScopedPage(scope, 'collections') ? [runs] : []),
    ...(isPractice ? await practiceSteps(scope, options) : []),
  ]
}

/** The extension is installed where an app was launched. */
async function practiceSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  const { items } = await listLaunches({ practiceId: scope.id, limit: NEWEST }, options)
  const policy = { service: ORIGIN + BASE, accountId: scope.id }
  return [
    {
      title: 'Install the browser extension',
      text: 'Your IT department installs it by policy, with this address and this practice. Or each person takes it from the store of the browser.',
      guide: { page: 'operate/extension', text: 'Read how' },
      copy: { label: 'Copy the policy', text: JSON.stringify(policy, null, 2) },
      isDone: items.length > 0,
      address: scopedAddress(scope, 'launches'),
    },
    {
      title: 'Open the first app',
      text: 'A provider opens a chart and signs in beside it. The first launch that is ready ticks this.',
      isDone: items.some(({ spans }) => spans.at(-1)?.outcome === 'ok'),
      address: scopedAddress(scope, 'launches'),
    },
  ]
}

async function appSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  if (!findScopedPage(scope, 'apps')) return []
  const { items } = await api.get<Page<App>>(
    withQuery('/api/apps', { accountId: scope.id, limit: 1 }),
    options,
  )
  const [app] = items
  const register = registerStep(app !== undefined, scopedAddress(scope, 'apps'))
  if (app === undefined) return [register]
  const [secrets, { last: preflight }, launches, faultRuns] = await Promise.all([
    listSecrets(app.id, options),
    loadLastPreflight(app.id, options),
    listLaunches({ accountId: scope.id, appId: app.id, limit: NEWEST }, options),
    ENVIRONMENT === 'staging' ? listFaultRuns(app.id, options) : undefined,
  ])
  const facts = {
    app,
    secrets: secrets.items.length,
    preflight,
    launches: launches.items,
    faultRun: faultRuns?.items[0],
  }
  const address = scopedAddress(scope, `apps/${encodeURIComponent(app.id)}`)
  return [register, ...listFirstAppSteps(facts, ENVIRONMENT, address)]
}
