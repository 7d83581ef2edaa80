#!/usr/bin/env node
// The entry of the published package, @chartside/server: `npx @chartside/server` starts the service, with
// a command of `chartside` after it, it runs that. Plain JavaScript that an old Node.js can read.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) {
  const [command] = process.argv.slice(2)
  if (command === undefined) process.argv.push('serve')
  await import('./main.mjs')
} else {
  process.stderr.write(
    `Chartside needs Node.js 24 or newer; this one is ${process.versions.node}. https://nodejs.org has it.\n`,
  )
  process.exitCode = 1
}
