// Option 3: the identity provider keeps `state`, and the app keeps one value for its tab: that this
// tab began the launch, and a secret that binds what its server keeps meanwhile to this browser.
// Works once for each launch. Stores no token. Spec §5.3, §5.6; security L03, X09.
import { requireLaunchId } from './begin-launch.ts'
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { type Page, thisPage } from './page.ts'
import { reportFailure } from './report-failure.ts'
import { mintRandom, withStorage } from './state.ts'
import { watchForInit } from './watch-for-init.ts'

const keyOf = (launchId: string): string => `chartside:provider-launch:${launchId}`

/**
 * Returns the `launch_id` of this page's address, once the tab has stored that it began the launch. Pass it
 * to the provider's sign-in as `login_hint`. Spec §5.3 rule 1.
 * @throws AppKitError missing_launch_id, storage_unavailable
 * @example location.replace(`${providerUrl}/sign-in?${new URLSearchParams({ launch_id: rememberLaunch() })}`)
 */
export function rememberLaunch(page: Page = thisPage()): string {
  return reported(page, () => {
    const launchId = new URLSearchParams(page.location.search).get('launch_id') ?? ''
    requireLaunchId(launchId)
    withStorage(page, (storage) => storage.setItem(keyOf(launchId), mintRandom()))
    return launchId
  })
}

/**
 * Returns the secret of a launch that this tab began, for `createPendingIdentities`: once for each launch. An
 * attacker's address would sign this browser in as the attacker. Spec §5.3; security L03.
 * @throws AppKitError launch_not_begun, storage_unavailable
 * @example const proof = takeLaunch(launchId)
 */
export function takeLaunch(launchId: string, page: Page = thisPage()): string {
  return reported(page, () => {
    const proof = withStorage(page, (storage) => {
      const stored = storage.getItem(keyOf(launchId))
      storage.removeItem(keyOf(launchId))
      return stored
    })
    if (!proof) {
      throw new AppKitError('launch_not_begun', 'This tab did not begin the launch.', {
        fix: LAUNCH_AGAIN,
      })
    }
    watchForInit(page)
    return proof
  })
}

function reported<Result>(page: Page, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    reportFailure(page, error)
    throw error
  }
}
