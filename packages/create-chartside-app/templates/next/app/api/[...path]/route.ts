// Every other address below /api: the same error response as elsewhere, in place of a page.
export {
  serve as DELETE,
  serve as GET,
  serve as PATCH,
  serve as POST,
  serve as PUT,
} from '../../../src/serve.ts'
