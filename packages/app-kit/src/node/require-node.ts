// Ends the process on a Node.js that cannot run TypeScript, and names the version to install; an older
// one reports an unknown file extension. Imported for its effect, before the app and before its tests.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This app needs Node.js 22.18 or newer, which runs TypeScript without a build; this is ${process.version}.`,
  )
  process.exit(1)
}
