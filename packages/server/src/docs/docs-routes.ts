// The addresses of this room: the first page of the documentation, and everything below it. routes.ts puts
// them into the table.
import { pageRoute } from '../route-builders.ts'
import { showDocs, showDocsPage } from './docs-http.ts'

export const DOCS_ROUTES = [
  pageRoute({
    method: 'GET',
    path: '/docs',
    operation: 'showDocs',
    summary: 'Serve the first page of the documentation.',
    answers: { 200: 'HTML' },
    hasHead: true,
    handle: showDocs,
  }),
  pageRoute({
    method: 'GET',
    path: '/docs/*',
    operation: 'showDocsPage',
    summary:
      'Serve a page of the documentation, a file of it, or lead to the explanation of an error code.',
    answers: { 200: 'HTML', 302: 'To the first page, or to the explanation of an error code' },
    hasHead: true,
    handle: showDocsPage,
  }),
]
