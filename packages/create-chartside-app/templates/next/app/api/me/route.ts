// The user of the session (src/api.ts).
export { serve as GET } from '../../../src/serve.ts'
