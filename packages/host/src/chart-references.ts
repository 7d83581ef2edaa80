// What an app gets of a chart: a reference that is the same while the same chart is open in this EHR
// session, differs between apps, and means nothing outside. Key and chart stay in this closure.
// Contract §11; security V40.

export interface ChartReferences {
  /** Returns the reference of a chart; null when no chart is open. */
  find(appId: string, chart: string | null): Promise<string | null>
}

const REFERENCE_LENGTH = 22
const KEY_BYTES = 32

/** @param key of the EHR session, base64url; hosts of one session share it. Without it a new one. */
export function createChartReferences(
  key: string = toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES))),
): ChartReferences {
  const text = new TextEncoder()
  const imported = crypto.subtle.importKey(
    'raw',
    text.encode(key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return {
    find: async (appId, chart) => {
      if (chart === null) return null
      const mac = await crypto.subtle.sign(
        'HMAC',
        await imported,
        text.encode(`${appId}\n${chart}`),
      )
      return toBase64Url(new Uint8Array(mac)).slice(0, REFERENCE_LENGTH)
    },
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
