// What the page of every app in React repeats: the launched app in its states, a failure in two
// registers, and a field whose text is kept. ../page has the same without React. Contract §6.

export { ChartsideApp, type ChartsideAppProps, renderApp, useLaunch } from './chartside-app.tsx'
export { DraftField } from './draft-field.tsx'
export { ProblemBox } from './problem-box.tsx'
export { UserHeader, type UserHeaderProps } from './user-header.tsx'
