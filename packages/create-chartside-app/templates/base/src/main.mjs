// The entry point. Plain JavaScript: it checks the Node.js version before it imports TypeScript, which
// an older Node.js cannot run.
import '@chartside/app-kit/require-node'

await import('./start.ts')
