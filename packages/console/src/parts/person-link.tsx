// The name of a person as a link to their page, where the open scope has one. Lists that name people show it; where
// the page has no person of this id, it says so itself.
/** @jsxImportSource preact */
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import type { Scope } from '../session/scopes.ts'

export interface PersonLinkProps {
  readonly scope: Scope
  readonly id: string
  readonly name: string
}

export const personAddress = (scope: Scope, id: string): string =>
  scopedAddress(scope, `people/${encodeURIComponent(id)}`)

export const PersonLink = ({ scope, id, name }: PersonLinkProps) =>
  findScopedPage(scope, 'people/x') === undefined ? (
    <span>{name}</span>
  ) : (
    <a href={personAddress(scope, id)}>{name}</a>
  )
