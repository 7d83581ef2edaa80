// The user of the session, for the page; src/api.ts answers. A route of your own begins as a copy of
// this file.
export { serve as GET } from '../../../src/serve.ts'
