// The kit's tests of option 2, on this app with Fastify.
import { testTokenEndpointApp } from '@chartside/test-kit/app'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'

testTokenEndpointApp({ start: (settings, log) => startServer(createApp(settings, log), settings) })
