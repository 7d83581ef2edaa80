// Compares the list of Node.js programs with the files that the Node.js project publishes: SHASUMS256.txt names the hash of
// each archive, and the program in the archive is hashed here. The signature of SHASUMS256.txt is for a person with gpg.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashFile, type NodeRelease } from './node-program.ts'

const run = promisify(execFile)

/** Returns what the publisher has for a platform: an archive with the program, or on Windows the program itself. */
function publishedOf(version: string, platform: string): { name: string; program?: string } {
  if (platform.startsWith('win-')) return { name: `${platform}/node.exe` }
  const folder = `node-v${version}-${platform}`
  return { name: `${folder}.tar.gz`, program: `${folder}/bin/node` }
}

/** @throws Error when a file of the publisher is missing or is not what its own list says */
export async function findPublished(
  base: string,
  version: string,
  platforms: readonly string[],
): Promise<Record<string, string>> {
  const at = `${base.replace(/\/$/, '')}/v${version}`
  const lines = (await fetchBytes(`${at}/SHASUMS256.txt`)).toString('utf8').split('\n')
  const sums = new Map(lines.map((line) => line.split(/\s+/, 2).reverse() as [string, string]))
  const folder = await mkdtemp(join(tmpdir(), 'chartside-node-'))
  try {
    const programs: Record<string, string> = {}
    for (const platform of platforms) {
      const { name, program } = publishedOf(version, platform)
      const bytes = await fetchBytes(`${at}/${name}`)
      const sum = createHash('sha256').update(bytes).digest('hex')
      if (sum !== sums.get(name)) throw new Error(`${name} is not what SHASUMS256.txt says.`)
      if (program === undefined) {
        programs[platform] = sum
        continue
      }
      const archive = join(folder, `${platform}.tar.gz`)
      await writeFile(archive, bytes)
      await run('tar', ['-xzf', archive, '-C', folder, program])
      programs[platform] = await hashFile(join(folder, program))
    }
    return programs
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The differences; a list without any is the publisher's. */
export function listDifferences(
  { programs }: NodeRelease,
  published: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(programs).flatMap(([platform, sha256]) =>
    published[platform] === sha256
      ? []
      : [`${platform}: the publisher has ${published[platform]}.`],
  )
}

async function fetchBytes(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`)
  return Buffer.from(await answer.arrayBuffer())
}
