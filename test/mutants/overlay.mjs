// Plants a mutant: gives its changed text when Node.js loads the file, so that the tree stays as it is
// and several mutants can run at once. Loaded with --import in every process of a test; plain
// JavaScript, so that it needs no other hook. Leaves a mark when the file was loaded.
import { appendFileSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const { url, planted, mark } = JSON.parse(process.env.PLANTED_MUTANT ?? '{}')

if (url) {
  registerHooks({
    load(loaded, context, nextLoad) {
      const result = nextLoad(loaded, context)
      if (loaded.split('?')[0] !== url || !result.source) return result
      appendFileSync(mark, 'loaded\n')
      return { ...result, source: readFileSync(planted, 'utf8') }
    },
  })
}
