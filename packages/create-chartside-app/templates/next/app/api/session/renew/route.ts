// Renews the app's own session by its cookie, for pages of this origin only (createSessions of the app
// kit). Spec §5.6.
export { serve as POST } from '../../../../src/serve.ts'
