// Faults while the app runs: the launch ends, the token ends, the chart changes, the network is gone.
// Contract §15.
import { fact, opensAgain, plainWords, saysSomething } from '../checks.ts'
import type { Fault, Stage } from '../fault.ts'
import { TOKEN_REFUSED } from './exchange.ts'

/** The pause is long enough for every draft that is saved after a pause of a second. */
const PAUSE_MS = 1500
const TEXT = 'Typed while a fault was played'

const KEEPS_TEXT = {
  title: 'Keeps what was typed',
  cause: 'What the provider has typed is lost.',
  fix: 'Save it on your server while it is typed, and at sdk.on("expiring"); createDraft of the app kit does.',
}
const STAYS_SILENT = {
  title: 'Sends nothing for the user after the end',
  cause: 'The app goes on under a sign-in that is over.',
  fix: 'End your session at sdk.on("ended"), and stop every timer.',
}
const HIDES = {
  title: 'Takes the data of the user from the screen at the end',
  cause: 'The next person at this screen reads what the last one wrote.',
  fix: 'Clear the page at sdk.on("ended").',
}

async function openAndType(stage: Stage): Promise<boolean> {
  await stage.open()
  await stage.settle()
  return stage.type(TEXT)
}

const ending = (name: string, title: string, reason: 'signed_out' | 'app_disabled'): Fault => ({
  ...{ name, step: 'running', by: 'host', title },
  play: async (stage) => {
    const hasField = await openAndType(stage)
    stage.panel.end(reason)
    await stage.wait(PAUSE_MS)
    stage.takeRequests()
    await stage.wait(PAUSE_MS)
    stage.note('silent', stage.takeRequests().length === 0)
    stage.note('hides', hasField ? !(await stage.fields()).includes(TEXT) : undefined)
  },
  checks: [
    fact('silent', 'safety', STAYS_SILENT),
    fact('hides', 'safety', HIDES),
    ...[saysSomething, plainWords, opensAgain],
  ],
})

export const RUNNING_FAULTS: readonly Fault[] = [
  ending('sign-out', 'The provider signs out', 'signed_out'),
  ending('switched-off', 'An administrator switches the app off', 'app_disabled'),
  {
    ...{ name: 'token-ends', step: 'running', by: 'host' },
    title: 'The token ends while text is not saved',
    play: async (stage) => {
      const hasField = await openAndType(stage)
      stage.panel.sendExpiring(2)
      await stage.wait(PAUSE_MS)
      stage.panel.end('expired')
      await stage.launchAgain()
      await stage.settle()
      await stage.wait(300)
      stage.note('keeps', hasField ? (await stage.fields()).includes(TEXT) : undefined)
    },
    checks: [fact('keeps', 'work', KEEPS_TEXT), opensAgain],
  },
  {
    ...{ name: 'chart-changes', step: 'running', by: 'host' },
    title: 'Another chart is opened beside the app',
    play: async (stage) => {
      stage.panel.setChart('chart-1')
      const hasField = await openAndType(stage)
      await stage.wait(PAUSE_MS)
      stage.panel.setChart('chart-2')
      await stage.wait(PAUSE_MS)
      const isUncovered = stage.panel.shownChart() === 'chart-2'
      const isMixed = isUncovered && (await stage.fields()).includes(TEXT)
      stage.note('own-chart', hasField ? !isMixed : undefined)
    },
    checks: [
      fact('own-chart', 'safety', {
        title: 'Never says that it shows a chart beside the text of another',
        cause: 'A note about one patient stands beside the chart of another.',
        fix: 'Clear what belongs to the chart before the listener of sdk.on("chart") resolves.',
      }),
    ],
  },
  {
    ...{ name: 'offline', step: 'running', by: 'browser' },
    title: 'The network is gone for some seconds',
    play: async (stage) => {
      await stage.open()
      await stage.settle()
      // A page that is not complete yet has no field, and would get none without a network.
      const hasField = await stage.type('')
      await stage.setOffline(true)
      // A field that is gone by then keeps nothing.
      await stage.type(TEXT)
      await stage.wait(PAUSE_MS)
      stage.note('keeps', hasField ? (await stage.fields()).includes(TEXT) : undefined)
      await stage.setOffline(false)
    },
    checks: [fact('keeps', 'work', KEEPS_TEXT), opensAgain],
  },
  TOKEN_REFUSED,
]
