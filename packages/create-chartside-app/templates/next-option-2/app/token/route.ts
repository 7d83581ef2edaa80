// The registered token endpoint, to which the SDK posts the code; src/app.ts passes it on with the
// secret.
export { serve as POST } from '../../src/serve.ts'
