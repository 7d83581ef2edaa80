// The front door: looks at the Node.js it runs on, then starts the app. What is TypeScript is loaded
// only after that.
import './node-version.mjs'

await import('./start.ts')
