// Every other address below /api: an error response with cause and fix, as elsewhere in this app, in
// place of a page.
export {
  serve as DELETE,
  serve as GET,
  serve as PATCH,
  serve as POST,
  serve as PUT,
} from '../../../src/serve.ts'
