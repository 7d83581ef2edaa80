// An older Node.js cannot read TypeScript and would only say that it does not know the file, or finds
// none; this file is JavaScript and says it better. In front of the start and of the tests.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This app needs Node.js 22.18 or newer, which runs TypeScript as it is; this is ${process.version}.`,
  )
  process.exit(1)
}
