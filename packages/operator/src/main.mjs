#!/usr/bin/env node
// The entry of the operator's command line, `npx chartside`. Plain JavaScript, so that
// an older Node.js without TypeScript prints what to do instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  // Before the first file that needs node:sqlite, which still calls itself experimental.
  process.removeAllListeners('warning')
  const built = await findBuiltProgram()
  if (process.argv[2] === 'serve') {
    await (built ? import(built) : import('@chartside/server/main'))
  } else if (process.argv[2] === 'health') {
    // Runs every few seconds: without the other commands.
    const { healthCommand } = await (built ? import(built) : import('./health-command.ts'))
    await healthCommand().parseAsync([...process.argv.slice(0, 2), ...process.argv.slice(3)])
  } else {
    await (built ? import(built) : import('./main.ts'))
  }
} else {
  process.stderr.write(
    `chartside needs the Node.js that the project brings; this one is ${process.versions.node}.\n` +
      'Run npx chartside … in the project after npm ci, or npm run chartside -- …\n',
  )
  process.exitCode = 1
}

/** The published package is built as a whole, and has no place of its own to keep a cache in. */
async function findBuiltProgram() {
  if (process.env.CHARTSIDE_PACKAGED) return undefined
  const { findBuilt, useCompileCache } = await import('@chartside/server/built')
  useCompileCache()
  const [command = ''] = process.argv.slice(2)
  const name = command === 'serve' ? 'service' : command === 'health' ? 'health' : 'commands'
  return findBuilt(name, process.env)
}
