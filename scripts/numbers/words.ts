// Words that the house does not use, and where they stand. A table or column
// of the database keeps its name, because migrations only go forward.
import type { SourceFile } from './imports.ts'

/** Each has a plain word in its place: name who acts, what is sent, what is stored. */
export const UNUSED_WORDS: readonly string[] = [
  'nobody',
  'somebody',
  'anybody',
  'everybody',
  'whoever',
  'told',
  'tells of',
  'letter',
  'letters',
  'errand',
  'errands',
  'duty',
  'duties',
  'crowd',
  'crowds',
  'trouble',
  'troubles',
  'stragglers',
]

const isExempt = (path: string, line: string, word: string) =>
  path === 'STYLE.md' ||
  path === 'CHANGELOG.md' ||
  // The actor of an audit event before a sign-in, and the system user without rights.
  (word === 'nobody' && /'nobody'|`nobody`/.test(line)) ||
  // The property of CSS.
  (word === 'letter' && /letter-spacing/.test(line)) ||
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
