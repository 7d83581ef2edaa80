// Builds THIRD_PARTY_NOTICES.txt: what is shipped with this project, with the copyright and licence texts that
// the packages themselves carry. Reads node_modules; writes nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LockedPackage } from './lock-file.ts'

export const NOTICES = 'THIRD_PARTY_NOTICES.txt'

const TEXT = /^(licen[cs]e|copying|notice)([.-].*)?$/i
const RULE = '-'.repeat(80)

export function buildNotices(root: string, packages: readonly LockedPackage[]): string {
  const sections = packages.map((one) => {
    const title = `${one.name} ${one.version} (${one.license})`
    return `${RULE}\n${title}\n\n${readTexts(root, one)}`
  })
  return `Packages that Chartside needs when it runs, with their licences.

${sections.join('\n')}`
}

function readTexts(root: string, { place, name }: LockedPackage): string {
  const folder = join(root, place)
  const texts = readdirSync(folder)
    .filter((file) => TEXT.test(file))
    .sort()
    .map((file) => normalize(readFileSync(join(folder, file), 'utf8')))
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const by = typeof author === 'string' ? author : (author?.name ?? name)
  const from = typeof repository === 'string' ? repository : (repository?.url ?? '')
  return texts.length > 0
    ? texts.join('\n')
    : `The package has no licence text. By ${by}. ${from}\n`.replaceAll('  ', ' ')
}

const normalize = (text: string) =>
  `${text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim()}\n`
