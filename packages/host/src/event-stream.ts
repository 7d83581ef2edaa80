// Reads `text/event-stream` from a fetch body. EventSource cannot send an Authorization header,
// and a session token has no place in a URL. No reconnecting here. HTML Living Standard §9.2.6.

export interface StreamEvent {
  /** Empty for a comment: nothing but a sign of life. */
  readonly event: string
  readonly data: string
  /** Milliseconds after which the service wants the client back, when it says so. */
  readonly retryMs?: number
}

export async function* readEventStream(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      yield* blocks.map(parseBlock)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): StreamEvent {
  const data: string[] = []
  let event = ''
  let retry: { readonly retryMs: number } | undefined
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    if (field === 'retry' && /^\d{1,6}$/.test(value)) retry = { retryMs: Number(value) }
  }
  return { event: event || (data.length > 0 ? 'message' : ''), data: data.join('\n'), ...retry }
}
