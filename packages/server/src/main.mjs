// The process entry of the service. Plain JavaScript for one reason: before the first TypeScript file
// is loaded it switches on Node's compile cache, and takes what is built instead of the sources.
import { findBuilt, useCompileCache } from './built.mjs'

useCompileCache()
const built = findBuilt('service', process.env)
await (built ? import(built) : import('./main.ts'))
