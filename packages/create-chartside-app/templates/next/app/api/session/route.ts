// Begins the app's own session, once the SDK is ready (src/launch.ts), and ends it with the launch.
// Spec §5.6.
export { serve as DELETE, serve as POST } from '../../../src/serve.ts'
