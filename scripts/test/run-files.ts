// The entry of a test process: runs the test files of its command line one after another, each
// inside a suite of its own, so that the hooks of a file run around that file alone. What files share
// must have no top-level await: they would be evaluated together, in the suite of one of them. No describe
// is async: the runner would not know it any more.
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The test runner follows every promise to know the suite in which `test()` was called. That costs a
 * tenth of the processor time of a run, and once all files are read there is nothing left to know but
 * the test of a stray error: the reporter gives it to the test that began last.
 */
let runnerHook: AsyncHook | undefined
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  runnerHook = createHook(callbacks)
  return runnerHook
}
const { suite } = await import('node:test')

const reading = process.argv.slice(2).map((file) => {
  const read = Promise.withResolvers<void>()
  suite(file, async () => {
    try {
      await import(pathToFileURL(resolve(file)).href)
    } finally {
      read.resolve()
    }
  })
  return read.promise
})
asyncHooks.createHook = createHook
await Promise.all(reading)
runnerHook?.disable()
