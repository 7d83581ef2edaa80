// Exchanges the code of a launch (src/launch.ts). Spec §5.1.
export { serve as POST } from '../../../src/serve.ts'
