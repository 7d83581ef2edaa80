// Compares the Node.js that runs with the list of this project, node-programs.json. A version or a platform that the list
// does not have is refused, and so is any other program. Asks no registry.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export interface NodeRelease {
  /** Whether a person compared the list with SHASUMS256.txt of the Node.js project (node-publisher.ts). */
  readonly comparedWithPublisher: boolean
  /** The SHA-256 of the program, by platform. */
  readonly programs: Readonly<Record<string, string>>
}

export type NodeList = Readonly<Record<string, NodeRelease>>

export const NODE_LIST = new URL('node-programs.json', import.meta.url)

export const readNodeList = (): NodeList => JSON.parse(readFileSync(NODE_LIST, 'utf8'))

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export interface FoundNode {
  readonly path: string
  readonly version: string
  readonly platform: string
}

export async function listNodeProblems(
  { path, version, platform }: FoundNode,
  list: NodeList = readNodeList(),
): Promise<string[]> {
  const { programs = {} } = Object.hasOwn(list, version) ? (list[version] ?? {}) : {}
  const listed = Object.hasOwn(programs, platform) ? programs[platform] : undefined
  if (listed === undefined) {
    return [`node-programs.json has no Node.js ${version} for ${platform}.`]
  }
  const found = await hashFile(path)
  if (found === listed) return []
  return [`${path} is not the Node.js ${version} of node-programs.json: its SHA-256 is ${found}.`]
}

/** @throws Error before anything of a program that is not listed is copied or run */
export async function requireListedNode(node: FoundNode): Promise<void> {
  const [problem] = await listNodeProblems(node)
  if (problem) throw new Error(problem)
}
