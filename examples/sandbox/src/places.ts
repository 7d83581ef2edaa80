// The addresses of one run: a port and a host name for the service, the sample EHR and each origin
// of each app. Reports ports in use, with the fix, before anything starts. Leaves no port open.
import { type AddressInfo, createServer } from 'node:net'
import type { Manifest } from '@chartside/protocol/app-manifest'
import { COMMAND } from './installation.ts'

export interface AppPlace {
  readonly manifest: Manifest
  readonly port: number
  /** The origins by placeholder: `origin`, and `origin.provider` for one called "provider". */
  readonly origins: Readonly<Record<string, string>>
  /** Ports of the further origins, by name. */
  readonly ports: Readonly<Record<string, number>>
}

export interface Places {
  readonly service: { readonly url: string; readonly port: number }
  readonly ehr: { readonly url: string; readonly port: number }
  readonly apps: readonly AppPlace[]
}

/**
 * The service's port and those after it, in the order of the apps; for 0, any that are free. One
 * host name each, because ports alone do not keep cookies apart. The EHR is another site than the
 * apps, as an extension's panel is (docs/inside/decisions/0007).
 */
export async function choosePlaces(first: number, manifests: readonly Manifest[]): Promise<Places> {
  const count = manifests.reduce((sum, { origins }) => sum + 1 + origins.length, 2)
  const ports = first === 0 ? await findFreePorts(count) : countUp(first, count)
  const next = (): number => ports.shift() ?? 0
  const [service, ehr] = [next(), next()]
  const apps = manifests.map((manifest) => {
    const { slug } = manifest
    const given = next()
    const port = manifest.port ?? given
    const further = Object.fromEntries(manifest.origins.map((name) => [name, next()]))
    const origins = {
      origin: `http://${slug}.chartside.localhost:${port}`,
      ...Object.fromEntries(
        Object.entries(further).map(([name, port]) => [
          `origin.${name}`,
          `http://${name}.${slug}.chartside.localhost:${port}`,
        ]),
      ),
    }
    return { manifest, port, origins, ports: further }
  })
  return {
    service: { port: service, url: `http://localhost:${service}` },
    ehr: { port: ehr, url: `http://ehr.localhost:${ehr}` },
    apps,
  }
}

/** @throws Error that names every port in use, and what to do */
export async function requireFreePorts({ service, ehr, apps }: Places): Promise<void> {
  const wanted: [number, string][] = [
    [service.port, 'the service'],
    [ehr.port, 'the sample EHR'],
    ...apps.flatMap(({ manifest, port, ports }): [number, string][] => {
      const { name } = manifest.registration
      return [
        [port, name],
        ...Object.entries(ports).map(([origin, port]): [number, string] => [
          port,
          `${name}, its ${origin}`,
        ]),
      ]
    }),
  ]
  const taken: string[] = []
  for (const [port, what] of wanted) {
    if (!(await isFree(port))) taken.push(`port ${port} (${what})`)
  }
  if (taken.length === 0) return
  const other = service.port === 4800 ? 4900 : 4800
  throw new Error(
    `Another program is using ${taken.join(', ')}. ` +
      `Stop it (perhaps a sandbox in another terminal), or choose other ports: ${COMMAND} -- --port ${other}`,
  )
}

const countUp = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index)

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port).catch(() => null)
  if (!server) return false
  await server.close()
  return true
}

async function findFreePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => listen(0)))
  await Promise.all(held.map((server) => server.close()))
  return held.map(({ port }) => port)
}

async function listen(port: number): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
