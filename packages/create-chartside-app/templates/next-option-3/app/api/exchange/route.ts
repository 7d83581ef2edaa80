// Takes the ticket of the identity provider; src/launch.ts does it. Sets no cookie: the session begins
// once the SDK is ready. Spec §5.3, §5.6.
export { serve as POST } from '../../../src/serve.ts'
