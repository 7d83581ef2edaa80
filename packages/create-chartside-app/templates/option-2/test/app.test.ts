// The tests of the kit on this app: a launch from its code to a session, what must be refused, and its
// pages. Against a fake service, on this machine.
import { testTokenEndpointApp } from '@chartside/test-kit/app'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'

testTokenEndpointApp({ start: (settings, log) => startServer(createApp(settings, log), settings) })
