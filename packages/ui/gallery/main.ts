// `npm run tool -- ui`: serves the page of all parts in all states until it is interrupted. A port may follow
// as the argument; the default is 4790.
import { serveGallery } from './serve.ts'

const HELP = `npm run tool -- ui [port]    serves the page of all parts (default: 4790)
`

const [argument = '4790'] = process.argv.slice(2)
if (argument === '--help') {
  process.stdout.write(HELP)
} else if (!/^\d+$/.test(argument)) {
  process.stderr.write(`${argument} is no port.\n\nUsage: ${HELP}`)
  process.exitCode = 2
} else {
  const { url } = await serveGallery(Number(argument))
  process.stdout.write(`The parts of the pages: ${url}\n`)
}
