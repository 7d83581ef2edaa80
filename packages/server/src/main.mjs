// The process entry of the service. Plain JavaScript for one reason: it switches on Node's compile
// cache before the first TypeScript file is loaded, so that later starts skip stripping the types.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url)))
await import('./main.ts')
