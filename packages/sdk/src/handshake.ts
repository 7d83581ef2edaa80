// The SDK's half of the handshake: sends a hello to the parent window and accepts the first genuine
// answer. Owns window.postMessage and the `message` event; never sends a secret. It trusts an
// answer only for its source (the parent), its origin (a known host) and its nonce. Contract §5
// steps 1-3; security X01, X02, X07, X08.
import {
  buildHello,
  HANDSHAKE_VERSIONS,
  isAnswer,
  parseAnswer,
  parseNonce,
  type Welcome,
} from '@chartside/protocol/handshake'
import { LAUNCH_AGAIN, ServiceSDKError } from './errors.ts'
import { type Log, measurePage, type Page } from './page.ts'
import { version } from './version.ts'
import { type Limits, waitFor } from './wait.ts'

export interface Handshake {
  readonly welcome: Welcome
  readonly port: MessagePort
}

export async function performHandshake(
  page: Page,
  hostOrigins: readonly string[],
  limits: Limits,
  log: Log,
): Promise<Handshake> {
  if (hostOrigins.length === 0) {
    throw new ServiceSDKError(
      'HOST_NOT_FOUND',
      'This SDK script names no hosts.',
      'Load the script that /sdk/manifest.json names.',
    )
  }
  const { parent } = page
  if (!parent || Object.is(parent, page)) {
    throw new ServiceSDKError('HOST_NOT_FOUND', 'This page is not framed.', LAUNCH_AGAIN)
  }
  const nonce = randomNonce()
  const untrustedOrigins = new Set<string>()
  const timedOut = () => explainTimeout(page, untrustedOrigins, limits.ms)

  return waitFor<Handshake>(limits, timedOut, (resolve, reject, settled) => {
    let welcomed = false
    const receive = (event: MessageEvent<unknown>) => {
      if (!isAnswer(event.data)) return
      const ignore = (why: string) => log.warn(`Ignored an answer from ${event.origin}: ${why}.`)
      if (event.source !== parent) return ignore('not from the parent window')
      if (!hostOrigins.includes(event.origin)) {
        untrustedOrigins.add(event.origin)
        return ignore('this SDK script does not list that origin')
      }
      const ours = parseNonce(event.data) === nonce
      if (welcomed) return ours ? ignore('a second host') : undefined
      if (!ours) return ignore('of another hello')
      const answer = parseAnswer(event.data)
      if (answer?.type === 'chartside:refusal') {
        return reject(new ServiceSDKError(answer.code, answer.message, answer.fix))
      }
      const port = event.ports[0]
      // The host has answered in another version: a longer wait would not change that.
      if (!port || !answer || !HANDSHAKE_VERSIONS.includes(answer.version)) {
        return reject(mismatch(answer))
      }
      log.debug(`Host ${event.origin} answered.`)
      welcomed = true
      resolve({ welcome: answer, port })
    }
    page.addEventListener('message', receive)
    const stopListening = () => page.removeEventListener('message', receive)
    settled.addEventListener('abort', () => {
      // A second host is named in a warning for as long again. In Node, where apps are tested, the
      // timer must not keep the process alive.
      if (welcomed) (setTimeout(stopListening, limits.ms) as unknown as Timer).unref?.()
      else stopListening()
    })
    const hello = buildHello({ versions: HANDSHAKE_VERSIONS, nonce, sdkVersion: version })
    const timings = measurePage(page)
    log.debug('Sent hello.')
    parent.postMessage(timings ? { ...hello, timings } : hello, '*')
  })
}

/** A number in a page, an object in Node. */
interface Timer {
  unref?(): void
}

const mismatch = (answer: Welcome | null) =>
  new ServiceSDKError(
    'PROTOCOL_MISMATCH',
    `The host answered in ${answer ? `version ${answer.version}` : 'an unreadable version'} of the ` +
      `handshake; SDK ${version} speaks ${HANDSHAKE_VERSIONS}.`,
    'Update the extension, or load the current SDK script.',
  )

function explainTimeout({ origin }: Page, origins: ReadonlySet<string>, ms: number): Error {
  const explain = (cause: string, fix: string) =>
    new ServiceSDKError(
      'HANDSHAKE_TIMEOUT',
      `No host answered within ${ms / 1000} s. ${cause}`,
      fix,
    )
  if (origins.size > 0) {
    return explain(
      `An answer from ${[...origins]} was ignored: this SDK script does not list that origin.`,
      'Add it to CHARTSIDE_HOST_ORIGINS of the service.',
    )
  }
  if (origin === 'null') {
    return explain(
      'A sandbox takes the origin of the page.',
      'Add allow-same-origin to the sandbox.',
    )
  }
  return explain(
    `Likely causes: ${origin} is not an origin of the app's Launch URL, redirect URIs ` +
      'or allowed iframe URLs; the page is not framed by the side panel; the extension is signed ' +
      'out.',
    `Add ${origin} to the allowed iframe URLs, or sign in at the extension.`,
  )
}

/** Returns 128 random bits. */
const randomNonce = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
