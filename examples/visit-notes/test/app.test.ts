// The kit's tests of option 1, on this app with React and Express.
import { testExchangeApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

testExchangeApp({ start: startApp })
