// The launch as React effects may use it: `openOnce` gives every caller the same launch, because a code
// and a ticket work once. Keeps tokens in memory only (launch.ts). Spec §5.6.
import type { AppSession } from '@chartside/app-kit/browser'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { Me } from '../api.ts'
import { open } from './launch.ts'

export interface OpenedLaunch {
  readonly session: AppSession
  /** For the events and the session context of the launch. */
  readonly sdk: ServiceSDK
  readonly me: Me
}

let opened: Promise<OpenedLaunch> | undefined

export function openOnce(): Promise<OpenedLaunch> {
  opened ??= load()
  return opened
}

async function load(): Promise<OpenedLaunch> {
  const { session, sdk } = await open(initServiceSDK)
  return { session, sdk, me: await session.request<Me>('GET', '/api/me') }
}
