// How many lines each function has, and which are too long to be read at one sight: 80 lines, a component
// (in a .tsx file) and a fixture of tests 120. The body of a test may be a long story. Reads source text.
import { parseSync, Visitor } from 'oxc-parser'
import type { SourceFile } from './imports.ts'

export interface LongFunction {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly lines: number
}

export const MAX_FUNCTION_LINES = 80
export const MAX_COMPONENT_LINES = 120

const TEST = /\.(test|browser|process|release|perf|next)\.ts$/
const FIXTURE = /(^|\/)test\/|-fixture\.ts$/

const maxLinesOf = (path: string) =>
  path.endsWith('.tsx') || FIXTURE.test(path) ? MAX_COMPONENT_LINES : MAX_FUNCTION_LINES

interface Node {
  readonly start: number
  readonly end: number
  readonly id?: { readonly name?: string } | null
}

/** Functions with more lines than they may have, the longest first. */
export function findLongFunctions(files: readonly SourceFile[]): LongFunction[] {
  const found: LongFunction[] = []
  for (const { path, text } of files) {
    if (TEST.test(path) || path.endsWith('.d.ts')) continue
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
    const visit = ({ start, end, id }: Node) => {
      const lines = text.slice(start, end).split('\n').length
      if (lines <= maxLinesOf(path)) return
      found.push({ path, line: lineOf(start), name: id?.name ?? 'a function', lines })
    }
    new Visitor({
      FunctionDeclaration: visit,
      FunctionExpression: visit,
      ArrowFunctionExpression: visit,
    }).visit(parseSync(path, text).program)
  }
  return found.sort((a, b) => b.lines - a.lines)
}
