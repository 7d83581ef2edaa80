// The tests of the kit on this app: a launch through the provider to a session, and what must be
// refused. Against a fake service, on this machine, without a build of Next.js, which serves the pages.
import { serveNode } from '@chartside/app-kit/node'
import { createWebApp } from '@chartside/app-kit/server'
import { testProviderApp } from '@chartside/test-kit/app'
import { buildOptions } from '../src/chartside.ts'
import { createProvider } from '../src/provider/provider.ts'

testProviderApp({
  start: {
    app: (settings, log) =>
      serveNode(createWebApp({ ...buildOptions(settings, log), slug: 'app' }), settings),
    provider: (options, address) => serveNode(createProvider(options), address),
  },
  hasPages: false,
})
