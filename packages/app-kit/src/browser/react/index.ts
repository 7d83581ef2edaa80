// What the page of every app in React repeats: the launched app in its states, a failure in two
// registers, and a field whose text is kept. ../page has the same without React. Contract §6.
export { DraftField } from './draft-field.tsx'
export { LaunchedApp, type LaunchedAppProps, renderApp } from './launched-app.tsx'
export { ProblemBox } from './problem-box.tsx'
export { UserHeader, type UserHeaderProps } from './user-header.tsx'
