// The kit's tests of option 2, on this app with Fastify.
import { testTokenEndpointApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

testTokenEndpointApp({ start: startApp })
