// Reads the body of a request or an answer up to a bound, so that nobody fills the memory of this
// server. Parses nothing but JSON objects.

/** The text, or undefined when it is longer than the bound. Throws what the stream and a strict decoder throw. */
export async function readText(
  message: Request | Response,
  maxBytes: number,
  decoder = new TextDecoder(),
): Promise<string | undefined> {
  if (Number(message.headers.get('content-length')) > maxBytes) return undefined
  if (!message.body) return ''
  const reader = (message.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** A text that is no JSON object reads as an empty one: the caller then misses its field. */
export function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
