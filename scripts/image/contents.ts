// Of what the image has beside npm packages: which packages of Debian its shared libraries belong to, and
// the SBOM of the server completed by them and by Node.js. Asks dpkg; changes nothing.
import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SystemPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  /** The file with its licence, where it has one. */
  readonly copyright: string | undefined
}

/** Describes the packages; none where this machine has no dpkg: the Containerfile builds on Debian. */
export async function describeDebian(libraries: readonly string[]): Promise<SystemPackage[]> {
  const names = new Set<string>()
  for (const library of libraries) {
    // A package may have installed it below /lib, which is a link to /usr/lib today.
    for (const path of [realpathSync(library), realpathSync(library).replace(/^\/usr/, '')]) {
      const owner = await run('dpkg-query', ['-S', path]).catch(() => undefined)
      const name = owner?.stdout.split(':')[0]
      if (name) names.add(name)
    }
  }
  const found: SystemPackage[] = []
  for (const name of [...names].sort()) {
    // Such as `libc6:amd64<tab>2.36-9`.
    const { stdout } = await run('dpkg-query', ['-W', name])
    const [, architecture = '', version = ''] = /:(\S+)\t(\S+)/.exec(stdout) ?? []
    const copyright = `/usr/share/doc/${name}/copyright`
    found.push({
      name,
      version,
      architecture,
      copyright: existsSync(copyright) ? copyright : undefined,
    })
  }
  return found
}

interface Component {
  readonly type: string
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/** The CycloneDX document with Node.js and the libraries of the system. */
export function withRuntime(
  sbom: string,
  node: { readonly version: string; readonly sha256: string },
  system: readonly SystemPackage[],
): string {
  const document: { readonly components: readonly object[] } = JSON.parse(sbom)
  const runtime: Component = {
    type: 'platform',
    'bom-ref': `node@${node.version}`,
    name: 'node',
    version: node.version,
    purl: `pkg:generic/node@${node.version}`,
    hashes: [{ alg: 'SHA-256', content: node.sha256 }],
  }
  const libraries = system.map(({ name, version, architecture }): Component => {
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
    return { type: 'library', 'bom-ref': purl, name, version, purl }
  })
  const components = [...document.components, runtime, ...libraries]
  return `${JSON.stringify({ ...document, components }, null, 2)}\n`
}
