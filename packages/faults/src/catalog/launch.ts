// Faults while the launch arrives: what the host, or the browser, does to the app's page before it has asked
// for anything. Contract §15.
import {
  doesNotLoop,
  fact,
  namesTrace,
  opensAgain,
  plainWords,
  REFUSED,
  saysSomething,
} from '../checks.ts'
import type { Fault } from '../fault.ts'
import { refusing } from '../intercepts.ts'

const OTHER_USER = {
  title: 'Shows each chart its own user, and no other',
  cause: 'State is kept once, not for each launch: one chart shows what belongs to the other.',
  fix: 'Keep state and session under the launch_id, as the app kit does.',
}

export const LAUNCH_FAULTS: readonly Fault[] = [
  {
    ...{ name: 'launch-twice', step: 'launch', by: 'host' },
    title: 'The same launch is opened twice',
    play: async (stage) => {
      await stage.open()
      await stage.settle()
      stage.takeRequests()
      await stage.open()
      await stage.settle()
    },
    checks: [doesNotLoop, saysSomething, plainWords, opensAgain],
  },
  {
    ...{ name: 'launch-without-id', step: 'launch', by: 'host' },
    title: 'The Launch URL has no launch_id',
    play: async (stage) => {
      await stage.open({ query: {} })
      await stage.settle()
    },
    checks: [saysSomething, plainWords, doesNotLoop, opensAgain],
  },
  {
    ...{ name: 'launch-foreign', step: 'launch', by: 'redirect' },
    title: 'A launch of another app',
    intercept: refusing('invalid_request', 'The launch belongs to another app.'),
    checks: [...REFUSED, namesTrace],
  },
  {
    ...{ name: 'launch-late', step: 'launch', by: 'redirect' },
    title: 'The page waits five minutes before authorize',
    intercept: refusing('invalid_request', 'The launch has expired.'),
    checks: [...REFUSED, doesNotLoop],
  },
  {
    ...{ name: 'launch-parallel', step: 'launch', by: 'host' },
    title: 'Two charts open the app at the same moment',
    play: async (stage) => {
      const { own, beside, besideName } = await stage.openBeside()
      const isShown = own.includes(stage.userName) || beside.includes(besideName)
      const isMixed = own.includes(besideName) || beside.includes(stage.userName)
      stage.note('own-user', isShown ? !isMixed : undefined)
    },
    checks: [fact('own-user', 'safety', OTHER_USER), opensAgain],
  },
  {
    ...{ name: 'storage-denied', step: 'launch', by: 'browser' },
    title: 'The browser refuses storage to the frame',
    deniesStorage: true,
    checks: [saysSomething, plainWords, opensAgain],
  },
]
