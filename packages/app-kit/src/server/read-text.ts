// Reads the body of a request or an answer up to a size limit, which protects the memory of the
// server. Parses only JSON objects.

/** The text; undefined above the limit. Throws the errors of the stream and of a strict decoder. */
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

/** The object; an empty one for any other text, so that the caller reports its missing field. */
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
