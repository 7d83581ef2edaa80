// What the user has typed and not finished, by person, practice and field; src/api.ts answers. Never in
// the browser's storage.
export { serve as GET, serve as PUT } from '../../../src/serve.ts'
