// `chartside logs` against a service: which lines a developer gets, that a tail goes on after an outage and ends by
// Ctrl-C, how it signs in, and what it says when the key may not. Contract §3.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemRandomness } from '@chartside/server/operator/runtime'
import { buildCli } from '../../operator/src/cli.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'
import { signInOnPage, testBrowser } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN } from './test-service.ts'

let at: PracticeWithVendor
let url = ''
before(async () => {
  at = await startPracticeWithVendor()
  await at.node.server.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(at.node.server.server.address() as AddressInfo).port}`
})
after(() => at.node.close())

const developer = () => at.vendor.people.developer.token

/** Runs the command in this process. */
function logs(token: string | undefined, ...args: string[]) {
  const printed: string[] = []
  const notes: string[] = []
  const abort = new AbortController()
  const cli = buildCli({
    env: {
      CHARTSIDE_BASE_URL: url,
      ...(token === undefined
        ? {}
        : { [`CHARTSIDE_${token.startsWith('dk_') ? 'DEVELOPER_KEY' : 'SESSION_TOKEN'}`]: token }),
    },
    clock: at.node.clock,
    randomness: systemRandomness(),
    operator: { user: 'dana', host: 'laptop' },
    print: (text) => printed.push(text),
    note: (text) => notes.push(text),
    redraw: () => {},
    isTerminal: false,
    signal: abort.signal,
  })
  const ended = cli.parseAsync(['logs', ...args], { from: 'user' })
  ended.catch(() => {})
  const until = async (lines: readonly string[], text: string | RegExp) => {
    for (let tries = 0; tries < 400; tries += 1) {
      const found = lines.find((line) => line.match(text))
      if (found !== undefined) return found
      await Promise.race([sleep(25), ended])
    }
    return assert.fail(`no ${text} in ${JSON.stringify([printed, notes])}`)
  }
  return { printed, notes, ended, stop: () => abort.abort(), until }
}

async function ready() {
  const launch = await at.launch()
  await at.report(launch, 'opened')
  assert.equal((await at.exchange(launch)).statusCode, 200)
  at.node.clock.advance(1)
  await at.report(launch, 'handshake', 'context')
  return launch
}

async function failed() {
  const launch = await at.launch()
  const answer = await at.exchange(launch, { client_secret: 'cs_wrong' })
  return { ...launch, traceId: answer.json().trace_id as string }
}

test('prints one line for each launch, oldest first, with cause and trace id', async () => {
  const good = await ready()
  const bad = await failed()
  const { printed, ended } = logs(developer())
  await ended
  const [first = '', second = '', ...more] = printed.join('\n').split('\n')
  assert.deepEqual(more, [])
  const { name } = at.vendor.app
  assert.match(first, /^2026-03-01T12:\d\d:\d\dZ ready .* ready after \d+ ms lau_\w+$/)
  assert.ok(first.includes(`${name} at `) && first.endsWith(good.id), first)
  assert.match(
    second,
    /Z failed .*, Exchange: .*client secret.* \(secret_wrong\) trace [0-9a-f]{32} /,
  )
  assert.ok(second.includes(bad.traceId) && second.endsWith(bad.id), second)
  const { token } = at.practice.people.provider
  await at.call(token, 'DELETE', `/api/launches/${good.id}`)
  const later = logs(developer(), '--lines=2')
  await later.ended
  assert.match(later.printed.join(), /Z ended .* ready after \d+ ms \(\w+\) lau_/)
  const asJson = logs(developer(), '--json', '--failed', '--app', at.vendor.app.id)
  await asJson.ended
  const { items } = JSON.parse(asJson.printed.join(''))
  assert.deepEqual(
    items.map((item: Record<string, unknown>) => [item.launchId, item.reason, item.traceId]),
    [[bad.id, 'secret_wrong', bad.traceId]],
  )
})

test('a tail shows what comes once, over an outage too, and ends by Ctrl-C', async () => {
  const { printed, notes, until, stop, ended } = logs(developer(), '--tail', '--json', '--lines=1')
  await until(printed, 'secret_wrong')
  const opening = await at.launch()
  const bad = await failed()
  await until(printed, bad.id)
  assert.equal(printed.filter((line) => line.includes(opening.id)).length, 0)
  // A network that is gone: the service refuses connections for a moment.
  const { server } = at.node.server
  const { port } = server.address() as AddressInfo
  server.close()
  server.closeAllConnections()
  await until(notes, /does not answer \(ECONN\w+\)\. Trying again/)
  const missed = await failed()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  await until(printed, missed.id)
  assert.equal((await at.exchange(opening)).statusCode, 200)
  await at.report(opening, 'handshake', 'context')
  const line = JSON.parse(await until(printed, opening.id))
  assert.equal(line.outcome, 'ready')
  assert.equal(notes.at(-1), 'Connected again.')
  stop()
  await ended
  assert.equal(new Set(printed).size, printed.length)
  assert.equal(printed.length, 4)
})

test('signs in by a browser without a token, and signs out at the end', async () => {
  const { printed, notes, until, stop, ended } = logs(undefined, '--tail', '--lines=1')
  const note = await until(notes, /sign-in\?/)
  const address = /https:\/\/\S+/.exec(note)?.[0] ?? ''
  const browser = testBrowser(at.node)
  const question = await signInOnPage(browser, address, ADMIN)
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  await until(printed, 'lau_')
  const token = await signIn(at.node, ADMIN)
  const countSignIns = async () =>
    (await at.call(token, 'GET', '/api/users/me/sign-ins')).json().items.length
  const before = await countSignIns()
  stop()
  await ended
  assert.equal(await countSignIns(), before - 1)
})

test('follows with a developer key, and stops when it is deleted', async () => {
  const { id, value } = at.vendor.keys.developer
  const { printed, until, ended } = logs(value, '--tail', '--lines=1')
  await until(printed, 'lau_')
  const path = `/api/users/me/developer-keys/${id}`
  assert.equal((await at.call(developer(), 'DELETE', path)).statusCode, 204)
  await assert.rejects(ended, {
    name: 'CommandFailed',
    message: /unknown or deleted.*CHARTSIDE_DEVELOPER_KEY.*Settings, Developer keys/,
  })
})

test('waits for the first launch of a new app', async () => {
  const { printed, ended } = logs(at.practice.people.developer.token, '--app', at.practice.app.id)
  await ended
  assert.deepEqual(printed, ['There are no launches.'])
})

test('says the cause and the fix when the key may not', async () => {
  const { provider } = at.vendor.people
  for (const [token, args, says] of [
    [provider.token, [], /Your role shows you your own launches only.*make you a developer/],
    [at.vendor.keys.provider.value, [], /no developer of its account now.*not_allowed/],
    ['cs_0123456789', [], /no session token \(st_…\).*leave the variable out/],
    ['st_0123456789', ['--tail'], /not, or no longer, valid.*CHARTSIDE_SESSION_TOKEN/],
    [developer(), ['--app', 'app_01jnye6xw8q2v5n0m4r7ta'], /not_found, trace id \w{32}.*--app/],
    [developer(), ['--url', 'http://chartside.example'], /Use https/],
    [developer(), ['--url', 'http://127.0.0.1:9'], /does not answer.*Look at --url/],
  ] as const) {
    await assert.rejects(logs(token, ...args).ended, { name: 'CommandFailed', message: says })
  }
})
