// All modules in the order in which they run, and the choice that --only makes of them. It owns no
// module; each file of modules/ has those of one subject.
import type { ConformanceModule } from './module.ts'
import { BASIC_FLOW_MODULES } from './modules/basic-flow.ts'
import { BEYOND_STANDARDS_MODULES } from './modules/beyond-standards.ts'
import { CLIENT_ASSERTION_MODULES } from './modules/client-assertions.ts'
import { CODE_MODULES } from './modules/codes.ts'
import { DISCOVERY_MODULES } from './modules/discovery.ts'
import { LAUNCH_MODULES } from './modules/launches.ts'
import { LOGOUT_MODULES } from './modules/logout.ts'
import { PAGE_MODULES } from './modules/pages.ts'
import { REDIRECT_URI_MODULES } from './modules/redirect-uris.ts'
import { REQUEST_PARAMETER_MODULES } from './modules/request-parameters.ts'
import { SIGN_IN_MODULES } from './modules/sign-in.ts'
import { TOKEN_ENDPOINT_MODULES } from './modules/token-endpoint.ts'
import { TOKEN_USE_MODULES } from './modules/token-use.ts'

export const MODULES: readonly ConformanceModule[] = [
  ...DISCOVERY_MODULES,
  ...BASIC_FLOW_MODULES,
  ...REQUEST_PARAMETER_MODULES,
  ...SIGN_IN_MODULES,
  ...REDIRECT_URI_MODULES,
  ...PAGE_MODULES,
  ...CODE_MODULES,
  ...TOKEN_ENDPOINT_MODULES,
  ...CLIENT_ASSERTION_MODULES,
  ...TOKEN_USE_MODULES,
  ...LAUNCH_MODULES,
  ...LOGOUT_MODULES,
  ...BEYOND_STANDARDS_MODULES,
]

/** The modules that the names mean; a name may end in `*`. Unknown names are given back. */
export function chooseModules(names: readonly string[]): {
  readonly chosen: readonly ConformanceModule[]
  readonly unknown: readonly string[]
} {
  if (names.length === 0) return { chosen: MODULES, unknown: [] }
  const isMeant = (name: string, id: string) =>
    name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name
  return {
    chosen: MODULES.filter(({ id }) => names.some((name) => isMeant(name, id))),
    unknown: names.filter((name) => !MODULES.some(({ id }) => isMeant(name, id))),
  }
}
