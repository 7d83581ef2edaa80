// The entry point: checks the Node.js version, then starts the app. Imports TypeScript only after
// that check.
import './node-version.mjs'

await import('./start.ts')
