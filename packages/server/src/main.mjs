// The process entry of the service. Plain JavaScript for one reason: before the first TypeScript file
// is loaded it switches on Node's compile cache, and takes the bundle where one is asked for.
import { findBuilt, useCompileCache } from './built.mjs'

useCompileCache()
const built = findBuilt('service', process.env)
await (built ? import(built) : import('./main.ts'))
