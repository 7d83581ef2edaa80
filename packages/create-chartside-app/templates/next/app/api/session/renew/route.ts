// Renews the app's own session. Spec §5.6.
export { serve as POST } from '../../../../src/serve.ts'
