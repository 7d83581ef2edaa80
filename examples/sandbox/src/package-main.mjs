#!/usr/bin/env node
// The entry of the published package, @chartside/sandbox: the command `chartside-sandbox`, which a new app
// has as `npm run dev`. Plain JavaScript that an old Node.js can read.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) {
  // node:sqlite of the service still calls itself experimental.
  process.execArgv.push('--disable-warning=ExperimentalWarning')
  // npm passes SIGTERM to the shell that it started and no further: this process is left without its parent.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      process.kill(process.pid, 'SIGTERM')
    }, 200)
    watch.unref()
  }
  await import('./main.ts')
} else {
  process.stderr.write(
    `The sandbox needs Node.js 24 or newer; this one is ${process.versions.node}. https://nodejs.org has it.\n`,
  )
  process.exitCode = 1
}
