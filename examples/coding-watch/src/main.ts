// Starts Coding Watch as a process of its own, on plain node:http: the kit's adapter hands the app a
// Request for each message. Owns nothing of the app itself.
import { createServer } from 'node:http'
import { toExpress } from '@chartside/app-kit/express'
import { listen, loadSettings } from '@chartside/example-app-shell/process'
import { createApp } from './app.ts'

const settings = loadSettings('coding-watch', 4703)
const handle = toExpress(createApp(settings))
const server = createServer((request, response) => {
  // The app answers its own errors; what is left is a connection that broke.
  void handle(request, response, () => response.destroy())
})
listen(server, settings)
