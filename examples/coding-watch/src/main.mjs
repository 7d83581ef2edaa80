// The entry point of Coding Watch: checks the Node.js version, then starts the app. Imports TypeScript only
// after that check.
import '@chartside/app-kit/require-node'

await import('./start.ts')
