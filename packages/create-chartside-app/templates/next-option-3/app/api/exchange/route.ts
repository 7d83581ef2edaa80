// Exchanges the ticket of the identity provider (src/launch.ts). Spec §5.3.
export { serve as POST } from '../../../src/serve.ts'
