// The registered token endpoint, to which the SDK posts the code (src/launch.ts). Spec §5.2.
export { serve as POST } from '../../src/serve.ts'
