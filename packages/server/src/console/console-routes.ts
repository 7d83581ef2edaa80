// The addresses of this room: the home, the document of the console and its files. routes.ts puts them
// into the table.
import { pageRoute } from '../route-builders.ts'
import { redirectHome, showConsole, showConsoleFile } from './console-http.ts'

export const CONSOLE_ROUTES = [
  pageRoute({
    method: 'GET',
    path: '/',
    operation: 'showHome',
    summary: 'Lead a person to the console.',
    answers: { 303: 'To the console' },
    hasHead: true,
    handle: redirectHome,
  }),
  pageRoute({
    method: 'GET',
    path: '/console',
    operation: 'showConsole',
    summary: 'Serve the console.',
    answers: { 200: 'HTML' },
    hasHead: true,
    handle: showConsole,
  }),
  pageRoute({
    method: 'GET',
    path: '/console/*',
    operation: 'showConsolePage',
    summary: 'Serve the console at the address of one of its pages.',
    answers: { 200: 'HTML' },
    hasHead: true,
    handle: showConsole,
  }),
  pageRoute({
    method: 'GET',
    path: '/console/assets/*',
    operation: 'showConsoleFile',
    summary: 'Serve a file of the console; immutable.',
    answers: { 200: 'JavaScript' },
    hasHead: true,
    handle: showConsoleFile,
  }),
]
