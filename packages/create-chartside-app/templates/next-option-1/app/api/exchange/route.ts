// Exchanges the code of a launch; src/launch.ts does it. Sets no cookie: the session begins once the SDK
// is ready. Spec §5.1, §5.6.
export { serve as POST } from '../../../src/serve.ts'
