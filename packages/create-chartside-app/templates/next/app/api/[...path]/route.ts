// The launch, the session and the drafts, with an error response with cause and fix for any other address
// below /api, in place of a page. A folder of your own beside this one wins.
import { chartside } from '../../../src/chartside.ts'

export const { GET, POST, PUT, PATCH, DELETE } = chartside.handlers
