// The titles of all tests, from source text: the first argument of test(…), as it stands there. A
// title that a test builds counts without the values that it inserts.
import type { SourceFile } from './imports.ts'

const TITLE =
  /(?:^|[\s;(])test\(\s*(?:title\()?\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)")/g

export const listTitles = (tests: readonly SourceFile[]): string[] =>
  tests
    .filter(({ path }) => /\.(test|browser|process|release)\.ts$/.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(TITLE)].map(([, single, template, double]) =>
        (single ?? template ?? double ?? '').replace(/\$\{[^}]*\}/g, '').replace(/\\(.)/g, '$1'),
      ),
    )
