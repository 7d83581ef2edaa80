// Whether the address that is set leads to the service, and what to do when it does not: a wrong
// address, another server, and a service that does not admit this extension look alike to the panel.
// One request to the address itself; nothing is sent with it.

export interface Reach {
  /** The message for the person; undefined when the service answers. */
  readonly problem?: string
  /** The message for the IT department. */
  readonly detail?: string
}

const WITHIN_MS = 5000

/** Checks the service; `origin` is of this extension, as the service has to list it. */
export async function checkService(
  service: string,
  origin: string,
  fetchFrom: typeof fetch = (input, init) => fetch(input, init),
): Promise<Reach> {
  const url = `${service}/auth/config`
  const ask = (mode: RequestMode) =>
    fetchFrom(url, {
      mode,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(WITHIN_MS),
    })
  try {
    const answer = await ask('cors')
    if (answer.ok && isConfig(await answer.json().catch(() => undefined))) return {}
    return notTheService(url, `It answered ${answer.status}, and not as Chartside does.`)
  } catch {
    // An answer that this page may not read fails as no answer does; without CORS it does not.
    const doesAnswer = await ask('no-cors').then(
      () => true,
      () => false,
    )
    return doesAnswer
      ? notTheService(url, `If it is Chartside, add ${origin} to its CHARTSIDE_HOST_ORIGINS.`)
      : {
          problem: 'Nothing answers there from this computer. Check the address and the network.',
          detail: `GET ${url} had no answer.`,
        }
  }
}

const isConfig = (body: unknown): boolean =>
  typeof (body as { readonly signInUrl?: unknown } | null | undefined)?.signInUrl === 'string'

const notTheService = (url: string, hint: string): Reach => ({
  problem:
    'What answers there does not let this extension sign you in. Check the address, or ask your IT department.',
  detail: `GET ${url} cannot be used by this extension. ${hint}`,
})
