// Starts Care Gaps as a process of its own. Owns nothing of the app itself.
// `npm start` at the root starts this file for you.
import { listen, loadSettings } from '@chartside/example-app-shell/process'
import { createApp } from './app.ts'

const settings = loadSettings('care-gaps', 4704)
const app = createApp(settings)
await app.ready()
listen(app.server, settings)
