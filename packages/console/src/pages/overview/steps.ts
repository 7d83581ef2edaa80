// What is left to set up in a scope, in the order in which it is done: read from the records, so that a
// step is ticked by having been done and by nothing else.
import type { App, PlatformUser } from '@chartside/protocol/payloads'
import { loadAccount } from '../../api/accounts.ts'
import { api, type CallOptions, type Page, withQuery } from '../../api/client.ts'
import { loadSecondFactor } from '../../api/credentials.ts'
import { listMembers } from '../../api/members.ts'
import { listAccounts } from '../../api/people.ts'
import { findScopedPage, personalAddress, scopedAddress } from '../../route/addresses.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'

export interface Step {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly address: string
}

/** Nothing for a person who sets nothing up. */
export async function loadSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  if (scope.kind === 'platform') return platformSteps(scope, options)
  if (isAllowedIn(scope, 'run')) return accountSteps(scope, options)
  return isAllowedIn(scope, 'develop') ? appStep(scope, options) : []
}

async function platformSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  const admins = withQuery('/api/users', { role: 'admin', disabled: 'false', limit: 10 })
  const [factor, users, accounts] = await Promise.all([
    loadSecondFactor(options),
    api.get<Page<PlatformUser>>(admins, options),
    listAccounts(undefined, options),
  ])
  return [
    {
      title: 'Protect your own sign-in',
      text: 'A second factor, or a passkey: you can change everything here.',
      isDone: factor.state === 'on',
      address: personalAddress('settings/sign-in'),
    },
    {
      title: 'Add a second administrator',
      text: 'So that one of you can help when the other cannot sign in.',
      isDone: users.items.filter(({ isEmergency }) => !isEmergency).length > 1,
      address: scopedAddress(scope, 'people'),
    },
    {
      title: 'Create the first account',
      text: 'A practice whose providers work in an EHR, or a vendor that builds apps.',
      isDone: accounts.items.length > 0,
      address: scopedAddress(scope, 'accounts'),
    },
  ]
}

async function accountSteps(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  const [members, { data: account }, apps] = await Promise.all([
    listMembers(scope.id, '', undefined, options),
    loadAccount(scope.id, options),
    appStep(scope, options),
  ])
  const runs = {
    title: 'Choose what runs where',
    text: 'A collection names the EHRs and the apps that open in each; publish it and assign it.',
    isDone: account.collection !== null,
    address: scopedAddress(scope, account.collection === null ? 'collections' : 'running'),
  }
  return [
    {
      title: 'Invite the people',
      text: 'Providers open apps in the EHR; developers register them; administrators do the rest.',
      isDone: members.items.length > 1,
      address: scopedAddress(scope, 'people'),
    },
    ...apps,
    ...(findScopedPage(scope, 'collections') ? [runs] : []),
  ]
}

async function appStep(scope: Scope, options: CallOptions): Promise<readonly Step[]> {
  if (!findScopedPage(scope, 'apps')) return []
  const { items } = await api.get<Page<App>>(
    withQuery('/api/apps', { accountId: scope.id, limit: 1 }),
    options,
  )
  return [
    {
      title: 'Register an app',
      text: 'Where it opens and where it returns to, and a secret for its server. A practice that only uses the apps of others skips this. All steps until practices use it: docs/build/going-live.md.',
      isDone: items.length > 0,
      address: scopedAddress(scope, 'apps'),
    },
  ]
}
