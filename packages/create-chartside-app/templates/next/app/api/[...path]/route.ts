// Every address below /api: the launch, the session, the drafts and the app's own API (src/app.ts),
// with an error response with cause and fix for any other address, in place of a page.
export {
  serve as DELETE,
  serve as GET,
  serve as PATCH,
  serve as POST,
  serve as PUT,
} from '../../../src/serve.ts'
