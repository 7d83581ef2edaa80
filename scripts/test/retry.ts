// What a second try of failed files means: which files it takes, and how its results replace those of
// the first try. A file that passes then is flaky and is reported as that. Pure.
import type { FileResult } from './file-results.ts'
import { labelOf, type TestFile } from './test-files.ts'
import type { WorkItem } from './work-items.ts'

/** Results of one process that ended early carry the labels of all its files. */
const labelsOf = ({ label }: FileResult): readonly string[] => label.split(', ')

export function hasFailed(results: readonly FileResult[], file: TestFile): boolean {
  return results.some(
    (result) => result.failures.length > 0 && labelsOf(result).includes(labelOf(file)),
  )
}

export function eachAlone(files: readonly TestFile[]): WorkItem[] {
  return files.map((file) => ({
    files: [file],
    estimatedSeconds: 0,
    isAlone: true,
  }))
}

/** The results of every file: of its second try where there was one. */
export function mergeRetries(
  first: readonly FileResult[],
  second: readonly FileResult[],
): FileResult[] {
  const failuresOf = (label: string) =>
    first.filter((result) => labelsOf(result).includes(label)).flatMap(({ failures }) => failures)
  return [
    ...first.filter(({ failures }) => failures.length === 0),
    ...second.map((result) =>
      result.failures.length > 0 ? result : { ...result, flaky: failuresOf(result.label) },
    ),
  ]
}
