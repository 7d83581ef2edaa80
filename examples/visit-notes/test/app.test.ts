// The kit's tests of option 1, on this app with React and Express.
import { testExchangeApp } from '@chartside/test-kit/app'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'

testExchangeApp({ start: (settings, log) => startServer(createApp(settings, log), settings) })
