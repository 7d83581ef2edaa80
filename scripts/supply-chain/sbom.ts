// The SBOM of a package in CycloneDX 1.6, from the lock file: what it needs to run, each with hash and
// licence, and who needs whom. Equal inputs give equal bytes, so its hash tells whether the contents
// differ. `npm sbom --omit=dev` is no help here: it leaves out a package that any workspace has for
// development, such as fastify. Pure.
import { createHash } from 'node:crypto'
import { keyOf, type LockedPackage, type LockFile, listClosure, listNeeded } from './lock-file.ts'

export interface Sbom {
  readonly name: string
  readonly text: string
  readonly sha256: string
  readonly components: number
}

/** package-url.org: the @ of a scope is encoded, its slash is not. */
const purlOf = (one: LockedPackage) =>
  `pkg:npm/${one.name.replace('@', '%40')}@${encodeURIComponent(one.version ?? '')}`

const hashesOf = ({ integrity }: LockedPackage) =>
  integrity
    ? [
        {
          alg: 'SHA-512',
          content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
        },
      ]
    : undefined

const componentOf = (one: LockedPackage, type: 'library' | 'application' = 'library') => ({
  type,
  'bom-ref': keyOf(one),
  name: one.name,
  version: one.version,
  purl: purlOf(one),
  hashes: hashesOf(one),
  licenses: one.license ? [{ expression: one.license }] : undefined,
})

/**
 * @param workspace such as `packages/server`
 * @param parts the workspaces that its package has, if they are several
 */
export function buildSbom(
  lock: LockFile,
  workspace: string,
  parts: readonly string[] = [workspace],
): Sbom {
  const closure = listClosure(lock, parts)
  const [own] = closure.filter(({ place }) => place === workspace)
  if (!own) throw new Error(`The lock file has no workspace ${workspace}.`)
  const others = closure.filter((one) => one !== own)
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: componentOf(own, workspace === 'packages/server' ? 'application' : 'library'),
    },
    components: others.map((one) => componentOf(one)),
    dependencies: closure.map((one) => ({
      ref: keyOf(one),
      dependsOn: listNeeded(lock, one.place).map(keyOf).sort(),
    })),
  }
  const text = `${JSON.stringify(document, null, 2)}\n`
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { name: own.name, text, sha256, components: others.length }
}
