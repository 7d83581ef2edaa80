// `npm run ui`: serves the page of all parts in all states until it is interrupted. A port may follow
// as the argument; the default is 4790.
import { serveGallery } from './serve.ts'

const port = Number(process.argv[2] ?? 4790)
const { url } = await serveGallery(port)
process.stdout.write(`The parts of the pages: ${url}\n`)
