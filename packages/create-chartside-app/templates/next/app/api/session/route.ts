// Begins and ends the app's own session (src/launch.ts). Spec §5.6.
export { serve as DELETE, serve as POST } from '../../../src/serve.ts'
