// The words that STYLE.md does not use, read from its table, and where they stand. A table or column
// of the database keeps its name, because migrations only go forward.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './imports.ts'

const style = readFileSync(join(import.meta.dirname, '..', '..', 'STYLE.md'), 'utf8')

/** The words in the left column of the table “Words that are not used”. */
export const UNUSED_WORDS: readonly string[] = style
  .slice(style.indexOf('## Words that are not used'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| not '))
  .flatMap((line) => (line.split('|')[1] ?? '').split(','))
  .map((word) => word.trim())
  .filter((word) => word !== '')

/** STYLE.md names them; stored data keeps the table `duties` and the JSON key of an intent. */
const isExempt = (path: string, line: string, word: string) =>
  path === 'STYLE.md' ||
  path === 'CHANGELOG.md' ||
  // The actor of an audit event before a sign-in, and the system user without rights.
  (word === 'nobody' && /'nobody'|`nobody`/.test(line)) ||
  // The property of CSS.
  (word === 'letter' && /letter-spacing/.test(line)) ||
  (word === 'duties' && /`duties`|(INTO|UPDATE|FROM|TABLE) duties|duties\.due_at/.test(line)) ||
  // A migration that has shipped is never edited.
  (word === 'duties' && path.endsWith('/migrations.ts')) ||
  path === 'scripts/numbers/words.ts'

export interface UnusedWord {
  readonly path: string
  readonly line: number
  readonly word: string
}

/** Each place where such a word stands, in text or as a part of an identifier or a file name. */
export function findUnusedWords(files: readonly SourceFile[]): UnusedWord[] {
  const pattern = new RegExp(
    `(?<![A-Za-z])(${UNUSED_WORDS.map((word) => word.replace(/^./, '(?:$&)')).join('|')})(?![a-z])`,
    'gi',
  )
  return files.flatMap(({ path, text }) => {
    const found: UnusedWord[] = [...path.matchAll(pattern)].map(([word]) => ({
      path,
      line: 0,
      word: word.toLowerCase(),
    }))
    for (const [i, line] of text.split('\n').entries()) {
      // An identifier is a row of words.
      const words = line.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      for (const [word] of words.matchAll(pattern)) {
        const lower = word.toLowerCase()
        if (!isExempt(path, line, lower)) found.push({ path, line: i + 1, word: lower })
      }
    }
    return found
  })
}

export const countUnusedWords = (files: readonly SourceFile[]): number =>
  findUnusedWords(files).length
