// What an arrival of a clinic's day does: it opens a chart with all its launches, exchanges each code, and looks
// at each token. The chart that is open longest is then closed: its tokens work until that moment, and not after.
import type { Connection } from './connection.ts'
import type { Operations, ReadyCode } from './operations.ts'

interface Chart {
  readonly at: number
  readonly sessionId: string
  readonly tokens: readonly { readonly at: number; readonly token: string }[]
}

type Exchange = (connection: Connection, ready: ReadyCode) => Promise<string>

/** Charts that stay open: at ten arrivals a second each is open for half a minute. */
const MAX_OPEN = 300

/** The result of a visit is how long each of its exchanges took. @throws Error for a token that is lost, or outlives its chart. */
export function startVisits({ arrive, isActive, endSession }: Operations) {
  const open: Chart[] = []
  const check = async (on: Connection, { tokens }: Chart, isExpected: boolean) => {
    for (const { at, token } of tokens) {
      if ((await isActive?.(on, at, token)) === isExpected) continue
      throw new Error(
        isExpected ? 'a token was lost while its chart was open' : 'a token outlived its chart',
      )
    }
  }
  return async (on: Connection, at: number, exchange: Exchange): Promise<number[]> => {
    const arrival = await arrive?.(on, at)
    if (!arrival) throw new Error('this server has no charts')
    const times: number[] = []
    const tokens: { at: number; token: string }[] = []
    for (const ready of arrival.codes) {
      const began = performance.now()
      const answer = await exchange(on, ready)
      times.push(performance.now() - began)
      tokens.push({ at: ready.at, token: String(JSON.parse(answer).access_token) })
    }
    const chart = { at, sessionId: arrival.sessionId, tokens }
    await check(on, chart, true)
    open.push(chart)
    const oldest = open.length > MAX_OPEN ? open.shift() : undefined
    if (oldest) {
      await check(on, oldest, true)
      await endSession?.(on, oldest.at, oldest.sessionId)
      await check(on, oldest, false)
    }
    return times
  }
}
