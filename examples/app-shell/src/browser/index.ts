// The half of the shell that runs in a page: elements, views, words for what was thrown. Knows no
// token and no session. The server's half has an export for each of its files.
export type { ProblemView } from '../problem.ts'
export { describe, findAnswer } from './describe.ts'
export { el, readSettings, svg } from './elements.ts'
export { showApp, showEnded, showProblem, type WhoIsHere } from './views.ts'
