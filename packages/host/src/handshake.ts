// The host's half of the handshake: which messages count for a launch. A message counts only when
// its source is a frame this host opened and its origin belongs to that launch's app; the answer
// goes to exactly that origin. Neither check is enough alone: a frame keeps its window when it
// navigates, and many frames can show one origin. Contract §5 step 2; security X01-X04, X07, X09.
import {
  HANDSHAKE_VERSIONS,
  type Hello,
  isHello,
  negotiateVersion,
  parseHello,
  parseNonce,
  type Refusal,
} from '@chartside/protocol/handshake'
import type { AppFrame } from './app-frame.ts'
import type { IgnoredReason } from './events.ts'

/** The part of a frame that the decision reads. */
export type MessageSource = Pick<AppFrame, 'element' | 'launch' | 'ended' | 'hellos'>

/** One hello per page load. Bounds the calls to the service that a frame in a loop causes. */
const MAX_HELLOS_PER_MINUTE = 20

export type HelloDecision<F extends MessageSource> =
  /** The message is none of the handshake. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ignore'; readonly reason: IgnoredReason; readonly message: string }
  | {
      readonly kind: 'refuse'
      readonly frame: F
      readonly nonce: string
      readonly code: Refusal['code']
      readonly message: string
      readonly fix: string
    }
  | { readonly kind: 'welcome'; readonly frame: F; readonly hello: Hello; readonly version: number }

type HelloEvent = Pick<MessageEvent<unknown>, 'data' | 'source' | 'origin'>

export function decideHello<F extends MessageSource>(
  { data, origin }: HelloEvent,
  frame: F | null,
): HelloDecision<F> {
  if (!isHello(data)) return { kind: 'none' }
  if (!frame) return ignore('unknown_source', 'it did not come from a frame this host opened')
  if (!frame.launch.app.origins.includes(origin)) {
    return ignore(
      'wrong_origin',
      `${origin} is not an origin of ${frame.launch.app.name}; add it to the app's allowed iframe ` +
        'URLs if it should be one',
    )
  }
  const nonce = parseNonce(data)
  if (nonce === null) return ignore('malformed', 'its fields are not those of a hello')
  if (frame.hellos.has(nonce)) return ignore('replayed_nonce', 'its nonce was used before')
  if (frame.hellos.recentCount >= MAX_HELLOS_PER_MINUTE) {
    return ignore(
      'too_many_hellos',
      `${MAX_HELLOS_PER_MINUTE} hellos of this launch were answered within a minute, one for each load of a ` +
        'page. See that the app does not reload or call init in a loop, then wait, or open it again',
    )
  }
  const refuse = (code: Refusal['code'], message: string, fix: string) =>
    ({ kind: 'refuse', frame, nonce, code, message, fix }) as const
  if (frame.ended) {
    return refuse(
      'LAUNCH_ENDED',
      `This launch has ended (${frame.ended}).`,
      'Open the app again from the side panel.',
    )
  }
  // An unreadable hello is refused, because the app would otherwise wait for its timeout.
  const hello = parseHello(data)
  const version = hello && negotiateVersion(HANDSHAKE_VERSIONS, hello.versions)
  if (hello === null || version === null) {
    const fix = 'Update the extension, or load the current SDK script.'
    return refuse('PROTOCOL_MISMATCH', explainMismatch(hello), fix)
  }
  return { kind: 'welcome', frame, hello, version }
}

function explainMismatch(hello: Hello | null): string {
  const sdk = hello
    ? `SDK ${hello.sdkVersion} speaks version ${hello.versions.join(', ')} of the handshake`
    : 'The SDK said hello in a version of the handshake that this host cannot read'
  return `${sdk}; this host speaks ${HANDSHAKE_VERSIONS.join(', ')}.`
}

const ignore = (reason: IgnoredReason, why: string) =>
  ({ kind: 'ignore', reason, message: `Dropped a hello: ${why}.` }) as const
