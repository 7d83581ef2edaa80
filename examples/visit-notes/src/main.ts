// Starts Visit Notes as a process of its own. Owns nothing of the app itself.
// `npm start` at the root starts this file for you.
import { createServer } from 'node:http'
import { listen, loadSettings } from '@chartside/example-app-shell/process'
import { createApp } from './app.ts'

const settings = loadSettings('visit-notes', 4702)
listen(createServer(createApp(settings)), settings)
