// Compares a restarted service with the facts that it acknowledged before: each launch, code, token,
// app and secret. Redeems the codes and replays them, so that the tokens of the facts are revoked
// afterwards. Security C05, C09, F02.
import type { Facts } from './launch-load.ts'
import { type Answer, api, exchange, isActive, type Practice, sendJson } from './story-verbs.ts'

const CHECKS_IN_FLIGHT = 16

/** The facts that the restarted service has lost, in words. */
export async function listLostFacts(practice: Practice, facts: Facts): Promise<string[]> {
  const lost: string[] = []
  const check = async <T>(
    items: readonly T[],
    verify: (item: T) => Promise<string | undefined>,
  ) => {
    const results = await mapInBatches(items, verify)
    lost.push(...results.filter((result) => result !== undefined))
  }
  await check(facts.launches, async ({ id, launchId }) => {
    const byId = await api(practice, 'GET', `/api/launches/${id}`)
    const held = await api(practice, 'GET', `/api/launches?launch_id=${launchId}`)
    const isFound = byId.status === 200 && (held.body.items as unknown[])?.length === 1
    return isFound ? undefined : 'a launch is lost'
  })
  await check(facts.unredeemedCodes, async (code) => {
    const answers = await Promise.all([exchange(practice, code), exchange(practice, code)])
    const statuses = answers.map(({ status }) => status).sort()
    const isOnce = String(statuses) === '200,400' && isRefused(await exchange(practice, code))
    return isOnce ? undefined : `a code that was never sent to token answered ${statuses}`
  })
  await check(facts.redeemed, async ({ code, accessToken }) => {
    if (!(await isActive(practice, accessToken))) return 'an issued access token is dead'
    if (!isRefused(await exchange(practice, code))) return 'a redeemed code was accepted again'
    return (await isActive(practice, accessToken)) ? 'a replay left the token alive' : undefined
  })
  await check(facts.revokedTokens, async (token) =>
    (await isActive(practice, token)) ? 'a revoked token is alive again' : undefined,
  )
  await check(facts.apps, async (app) => {
    const found = await api(practice, 'GET', `/api/apps/${app.id}`)
    if (found.status !== 200 || found.body.clientId !== app.clientId) return 'an app is lost'
    const { clientId: client_id, secret: client_secret } = app
    const credentials = { token: 'at_any', client_id, client_secret }
    const { status } = await sendJson(practice.baseUrl, '/app-auth/introspect', credentials)
    const isRetired = facts.retired.includes(app)
    if (status === (isRetired ? 401 : 200)) return undefined
    // The answer to the last retirement may be lost; then both outcomes are correct.
    const mayBeRetired = app === facts.apps.at(-1) && status === 401
    return mayBeRetired ? undefined : `a secret answers ${status}, retired: ${isRetired}`
  })
  return lost
}

export const isRefused = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  status === 400 && body.error === 'invalid_grant'

/** A bounded number at a time. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += CHECKS_IN_FLIGHT) {
    results.push(...(await Promise.all(items.slice(at, at + CHECKS_IN_FLIGHT).map(work))))
  }
  return results
}
