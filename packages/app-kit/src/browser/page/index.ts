// What the page of every app repeats: begin and open a launch, show a failure or the end, and a field
// whose text is kept. Plain DOM, no framework; ../react has the same in React. Contract §6.
export { buildDraftField, type DraftFieldOptions } from './draft-field.ts'
export {
  beginAtProvider,
  beginForExchange,
  beginForTokenEndpoint,
  type IdTokenSDK,
  type InitSDK,
  type OpenedLaunch,
  openByExchange,
  openByProvider,
  openByTokenEndpoint,
  openOnce,
  readPageSettings,
} from './launches.ts'
export { describeProblem, type PageProblem } from './problem.ts'
export {
  type EndingSDK,
  type PageSteps,
  reportProblem,
  runLaunchPage,
  runPage,
  runWorkerPage,
} from './run-page.ts'
export { el, facts, show, showEnded, showProblem, userHeader } from './views.ts'
