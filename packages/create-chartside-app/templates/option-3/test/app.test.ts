// The tests of the kit on this app: a launch through the provider to a session, what must be refused,
// and its pages. Against a fake service, on this machine.
import { serveNode } from '@chartside/app-kit/node'
import { testProviderApp } from '@chartside/test-kit/app'
import { createApp } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'
import { startServer } from '../src/server.ts'

testProviderApp({
  start: {
    app: (settings, log) => startServer(createApp(settings, log), settings),
    provider: (options, address) => serveNode(createProvider(options), address),
  },
})
