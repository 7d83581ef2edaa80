// An error of a page with words of its own for the person: its title, what to do, and where to go from
// there. surfaces/page-surface.ts shows it; a program gets the code of the API.
import { ApiError, type ApiErrorCode } from '../../kernel/errors.ts'
import type { PageLink } from './error-page.ts'

export class PageProblem extends ApiError {
  readonly title: string
  readonly todo: string
  /** The links; `url` is a path below the base URL. */
  readonly actions: readonly PageLink[]

  constructor(
    code: ApiErrorCode,
    texts: { readonly title: string; readonly happened: string; readonly todo: string },
    actions: readonly PageLink[] = [],
  ) {
    super(code, texts.happened)
    this.title = texts.title
    this.todo = texts.todo
    this.actions = actions
  }
}
