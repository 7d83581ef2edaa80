// What both tests of docs/operate/operations.md share: the commands of a page by its headings, and launches through the
// nginx that the page has set up. As a program it launches until its standard input ends: in the network of
// another machine, whose root is the first argument; the second is a file that keeps the practice.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request as requestTls } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchSteadily } from './steady-launches.ts'
import { exchange, freshCode, isActive, type Practice, send, setUpPractice } from './story-verbs.ts'

const PER_SECOND = 8

/** The shell blocks of a page in docs/operate, in their order, each with the heading above it. */
export function readCommands(page: string): readonly { heading: string; commands: string }[] {
  const path = fileURLToPath(new URL(`../../docs/operate/${page}`, import.meta.url))
  return readFileSync(path, 'utf8')
    .split(/^## /m)
    .flatMap((part) =>
      [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => ({
        heading: part.slice(0, part.indexOf('\n')),
        commands,
      })),
    )
}

/** What the page ends with is an installation that opens an app. Gives the practice, with a token that is good. */
export async function launchThroughProxy(
  baseUrl: string,
  machine: string,
): Promise<{ practice: Practice; token: string }> {
  const password = readFileSync(join(machine, 'etc/chartside/admin-password'), 'utf8').trim()
  const practice = await setUpPractice(baseUrl, { email: 'admin@connect.example', password })
  const ready = await send(baseUrl, '/health/ready')
  assert.deepEqual(ready.body, { status: 'ready', ready: true }, 'not degraded')
  const { url } = (await send(baseUrl, '/sdk/manifest.json')).body
  const script = await send(baseUrl, new URL(String(url)).pathname)
  assert.match(script.text, /chrome-extension:\/\/abcdefghijklmnopabcdefghijklmnop/)
  return { practice, token: await launchOnce(practice) }
}

async function launchOnce(practice: Practice): Promise<string> {
  const { body } = await exchange(practice, await freshCode(practice))
  const token = String(body.access_token)
  assert.equal(await isActive(practice, token), true)
  return token
}

/** In place of name resolution: sends to nginx by TLS, as connect.example and from the United States. */
export async function startForwarder(machine: string, port: number) {
  const ca = readFileSync(join(machine, 'etc/ssl/certs/connect.example.pem'))
  const server = createServer((request, response) => {
    const { method, url: path } = request
    const headers = { ...request.headers, host: 'connect.example', 'x-forwarded-for': '8.8.8.8' }
    const target = { host: '127.0.0.1', port, servername: 'connect.example', ca }
    const forwarded = requestTls({ ...target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${address.port}`, stop }
}

/** The practice of the file continues, with its sign-in, and its token is still good. */
async function launchUntilStopped(machine: string, file: string): Promise<void> {
  const forwarder = await startForwarder(machine, 443)
  try {
    const kept = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : await launchThroughProxy(forwarder.url, machine)
    const practice: Practice = { ...kept.practice, baseUrl: forwarder.url }
    assert.equal(await isActive(practice, kept.token), true, 'the token of before')
    writeFileSync(file, JSON.stringify({ practice, token: await launchOnce(practice) }))
    const launches = launchSteadily(practice, PER_SECOND)
    process.stdout.write('launching\n')
    await once(process.stdin.resume(), 'end')
    process.stdout.write(JSON.stringify(await launches.stop()))
  } finally {
    forwarder.stop()
  }
}

if (import.meta.main) {
  const [machine = '', file = ''] = process.argv.slice(2)
  await launchUntilStopped(machine, file)
}
