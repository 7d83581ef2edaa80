// What a role may do in a scope, as commands of the palette. Each leads to the page or the open dialog that does it, which
// asks; the palette itself does nothing. Pure.
import type { IconName } from '@chartside/ui'
import { withQuery } from '../api/client.ts'
import { type Asked, DO, findScopedPage, scopedAddress } from '../route/addresses.ts'
import { isAllowedIn, type Permission, type Scope } from '../session/scopes.ts'
import type { PaletteItem } from './palette-items.ts'

interface Command {
  readonly label: string
  readonly icon: IconName
  /** The command is offered where the scope has this page. */
  readonly path: string
  readonly asked?: Asked
  /** The permission that the page needs, where it shows more than it lets do. */
  readonly permission?: Permission
  readonly kind?: Scope['kind']
}

const COMMANDS: readonly Command[] = [
  { label: 'Find a launch by trace id…', icon: 'search', path: 'launches', asked: DO.find },
  { label: 'Find launches around a time…', icon: 'clock', path: 'launches', asked: DO.around },
  { label: 'What did a person see…', icon: 'person', path: 'audit/seen' },
  {
    ...{ label: 'Invite a person…', icon: 'plus', path: 'people', asked: DO.invite },
    ...{ permission: 'run', kind: 'account' },
  },
  {
    ...{ label: 'Add a person…', icon: 'plus', path: 'people', asked: DO.invite },
    ...{ permission: 'platform', kind: 'platform' },
  },
  {
    ...{ label: 'Register an app…', icon: 'plug', path: 'apps/new' },
    ...{ permission: 'develop', kind: 'account' },
  },
  {
    ...{ label: 'New account…', icon: 'building', path: 'accounts', asked: DO.create },
    permission: 'platform',
  },
  { label: 'Switch off an app…', icon: 'power', path: 'apps', permission: 'develop' },
  { label: 'Stop an app here…', icon: 'power', path: 'running', permission: 'run' },
]

export const listCommands = (scope: Scope): readonly PaletteItem[] =>
  COMMANDS.filter(
    ({ path, permission = 'read', kind = scope.kind }) =>
      kind === scope.kind &&
      isAllowedIn(scope, permission) &&
      findScopedPage(scope, path) !== undefined,
  ).map(({ label, icon, path, asked }) => commandOf(label, icon, scope, path, { do: asked }))

interface Named {
  readonly id: string
  readonly name: string
}

/** Switches an app off everywhere, for those who develop the app or run the platform. */
export const switchOffCommand = (scope: Scope, { id, name }: Named): PaletteItem =>
  commandOf(`Switch off ${name}…`, 'power', scope, `apps/${id}`, { do: DO.switchOff })

export const newSecretCommand = (scope: Scope, { id, name }: Named): PaletteItem =>
  commandOf(`New secret for ${name}…`, 'key', scope, `apps/${id}`, { do: DO.newSecret })

/** Its draft, as the next version. */
export const publishCommand = (scope: Scope, { id, name }: Named): PaletteItem =>
  commandOf(`Publish ${name}…`, 'grid', scope, `collections/${id}`, { do: DO.publish })

/** Builds the command for the account of the scope. */
export const stopHereCommand = (scope: Scope, { id, name }: Named): PaletteItem =>
  commandOf(`Stop ${name} here…`, 'power', scope, 'running', { do: DO.stopHere, app: id })

function commandOf(
  label: string,
  icon: IconName,
  scope: Scope,
  path: string,
  query: { readonly do: Asked | undefined; readonly app?: string },
): PaletteItem {
  const address = withQuery(scopedAddress(scope, path), query)
  return { id: `command ${address} ${label}`, label, detail: 'Command', icon, target: { address } }
}
