// What the user types and has not finished (src/api.ts).
export { serve as GET, serve as PUT } from '../../../src/serve.ts'
