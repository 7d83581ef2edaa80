// Loads the requirements, the reasons and the tagged test titles from a checkout, and builds
// the page from them. It has no line numbers, and of a path only the package
// and the file name, so that moving a file inside its package does not change it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseReasons, parseSections, type Requirement, type Section } from './catalog.ts'
import { findTaggedTitles } from './titles.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const PAGE_PATH = '.chartside/requirements.md'
/** The test of the scanners: its titles and citations are made up. */
export const MADE_UP = 'test/requirement-scanners.test.ts'
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export function listFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/node_modules\/|\/dist\//.test(path))
    .sort()
}

export interface Evidence {
  readonly sections: readonly Section[]
  readonly reasons: ReadonlyMap<string, string>
  /** Id → lines that name a test each. */
  readonly tests: ReadonlyMap<string, readonly string[]>
}

const TEST_FILES =
  '{packages,examples,bench,test,scripts,conformance}/**/{*.{test,browser,process,release,perf},*-tests}.ts'

/** `packages/server/test/token.story.test.ts` → `server/token.story.test.ts`. */
function shortPath(path: string): string {
  const [top = '', name = ''] = path.split('/')
  return `${/^(packages|examples)$/.test(top) ? name : top}/${basename(path)}`
}

export function loadEvidence(): Evidence {
  const tests = new Map<string, string[]>()
  for (const path of listFiles(TEST_FILES)) {
    if (path === MADE_UP) continue
    const vectors = (name: string) => read(`packages/test-kit/vectors/${name}`)
    for (const { title, ids } of findTaggedTitles(read(path), vectors)) {
      const line = `\`${shortPath(path)}\`: ${title}`
      for (const id of ids) tests.set(id, [...(tests.get(id) ?? []), line])
    }
  }
  return {
    sections: parseSections(read('docs/inside/spec/security.md')),
    reasons: parseReasons(read('docs/inside/spec/without-test.md')),
    tests,
  }
}

export function buildPage({ sections, reasons, tests }: Evidence): string {
  const all = sections.flatMap(({ requirements }) => requirements)
  const tested = all.filter(({ id }) => tests.has(id)).length
  const showRequirement = ({ id, text }: Requirement): string => {
    const lines = [...new Set(tests.get(id) ?? [])].sort()
    const reason = reasons.get(id)
    const shown = [...lines, ...(reason === undefined ? [] : [`No test. ${reason}`])]
    return `**${id}** ${text}\n\n${shown.map((line) => `- ${line}`).join('\n')}`
  }
  return [
    '# Requirements and their tests',
    'Made of the requirements in docs, the written reasons and the test titles by `npm run tool -- requirements`.',
    `Requirements: ${all.length}. With a test: ${tested}. Without a test, with a reason: ${reasons.size}.`,
    ...sections.flatMap(({ title, requirements }) => [
      `## ${title}`,
      ...requirements.map(showRequirement),
    ]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}
