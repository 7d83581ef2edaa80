// The entry of a test process: runs the test files of its command line one after another, each
// inside a suite of its own, so that the hooks of a file run around that file alone. What files share
// must have no top-level await: they would be evaluated together, in the suite of one of them.
import { resolve } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) {
  suite(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}
