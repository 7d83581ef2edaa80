// Serves the page of all parts on loopback, under the strict policy that the console and the panel
// keep. Bundles once at the start; assets have hashed names and are immutable.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buildPage, STRICT_POLICY } from '../build.ts'

export interface Gallery {
  readonly url: string
  stop(): Promise<void>
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export async function serveGallery(port: number): Promise<Gallery> {
  const { script, sheet, files } = await buildPage(
    at('browser/main.tsx'),
    at('browser/gallery.css'),
  )
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parts of the pages · Chartside</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${sheet}">
</head>
<body>
<div id="root"></div>
<script type="module" src="/assets/${script}"></script>
</body>
</html>
`
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*$/, '')
    const file = files.find(({ name }) => path === `/assets/${name}`)
    const isPage = path === '/'
    response.writeHead(isPage || file ? 200 : 404, {
      'content-type': file?.type ?? (isPage ? 'text/html; charset=utf-8' : 'text/plain'),
      'content-security-policy': STRICT_POLICY,
      'cache-control': file ? 'public, max-age=31536000, immutable' : 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(file ? file.content : isPage ? page : 'There is no such file.\n')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
