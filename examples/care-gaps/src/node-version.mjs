// An older Node.js cannot run TypeScript and reports an unknown file extension. This file is plain
// JavaScript and names the version to install. Runs before the app and before its tests.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This app needs Node.js 22.18 or newer, which runs TypeScript without a build; this is ${process.version}.`,
  )
  process.exit(1)
}
