// One event stream for each EHR session: the offscreen document follows the service and passes the text on
// to the panel of the same session. A browser has six connections to a service over HTTP/1.1, so a stream
// of each panel would leave none for calls. Only pages of the extension are on the channel, and
// no event holds a bearer value.

const CHANNEL = 'session-events'
const ASK_INTERVAL_MS = 100
/** The bound after which the panel follows the service itself: until it follows, it misses events. */
const MAX_ASKS = 5

type Message = { readonly sessionId: string } & (
  | { readonly type: 'ask' | 'follows' | 'broken' }
  | { readonly type: 'events'; readonly text: string }
)
type OpenEvents = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** The side that follows the service. Opens the stream as `own` does, and passes it on. */
export async function shareEvents(
  sessionId: string,
  own: OpenEvents,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const [mine, copy] = (await own(signal)).tee()
  const channel = new BroadcastChannel(CHANNEL)
  const send = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.sessionId === sessionId && data.type === 'ask') send({ type: 'follows', sessionId })
  }
  send({ type: 'follows', sessionId })
  void passOn(copy, (text) => send({ type: 'events', sessionId, text })).finally(() => {
    send({ type: 'broken', sessionId })
    channel.close()
  })
  return mine
}

/** Passes whole events only: the other side may join at any moment. */
async function passOn(
  stream: ReadableStream<Uint8Array>,
  send: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const end = rest.lastIndexOf('\n\n') + 2
      if (end < 2) continue
      send(rest.slice(0, end))
      rest = rest.slice(end)
    }
  } catch {
    // The connection is gone; the follower opens another.
  }
}

/** The side that has no connection of its own, unless the other one does not answer. */
export function followShared(
  sessionId: string,
  own: OpenEvents,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL)
    let asks = 0
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const leave = () => {
      clearInterval(asking)
      signal.removeEventListener('abort', leave)
      channel.close()
    }
    const stream = new ReadableStream<Uint8Array>({
      start: (started) => {
        controller = started
      },
      cancel: leave,
    })
    const ask = () => {
      asks += 1
      if (asks <= MAX_ASKS) return channel.postMessage({ type: 'ask', sessionId } satisfies Message)
      leave()
      own(signal).then(resolve, reject)
    }
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.sessionId !== sessionId) return
      if (data.type === 'follows') {
        clearInterval(asking)
        resolve(stream)
      } else if (data.type === 'events') {
        controller?.enqueue(new TextEncoder().encode(data.text))
      } else if (data.type === 'broken') {
        leave()
        controller?.error(new Error('The event stream of the service broke off.'))
      }
    }
    const asking = setInterval(ask, ASK_INTERVAL_MS)
    signal.addEventListener('abort', leave)
    ask()
  })
}
