// The tests of the kit on this app: a launch from its code to a session, and what must be refused.
// Against a fake service, on this machine, without a build of Next.js, which serves the pages.
import { serveNode } from '@chartside/app-kit/node'
import { createWebApp } from '@chartside/app-kit/server'
import { testExchangeApp } from '@chartside/test-kit/app'
import { buildOptions } from '../src/chartside.ts'

testExchangeApp({
  start: (settings, log) =>
    serveNode(createWebApp({ ...buildOptions(settings, log), slug: 'app' }), settings),
  hasPages: false,
})
