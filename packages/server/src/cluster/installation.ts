// Which installation a database belongs to: the environment and the issuer of its first start. A node
// with others is refused before it changes anything, because it would turn codes of one installation
// into ID tokens of another. Pure rules and the error; the SQL is installation-store.ts. Security V14.
import { isLoopbackHost } from '@chartside/protocol/oauth'

export interface Installation {
  /** The value is `development`, `staging` or `production`. */
  readonly environment: string
  readonly issuer: string
}

/** The node is configured for another installation than the one in the database. */
export class OtherInstallation extends Error {
  constructor(recorded: Installation, configured: Installation) {
    super(
      `The database belongs to ${describe(recorded)}, and this node is configured for ` +
        `${describe(configured)}. Nothing was changed. Set CHARTSIDE_DATABASE_URL to the database of ` +
        'this installation, or correct CHARTSIDE_ENVIRONMENT, CHARTSIDE_BASE_URL and ' +
        'CHARTSIDE_ISSUER_URL. To move the database to another environment or issuer on purpose, run ' +
        'chartside installation change with the new settings (docs/operate/operations.md).',
    )
    this.name = 'OtherInstallation'
  }
}

const describe = ({ environment, issuer }: Installation) =>
  `${environment} with the issuer ${issuer}`

const isOnLoopback = ({ environment, issuer }: Installation) =>
  environment === 'development' && isLoopbackHost(new URL(issuer).hostname)

/** Two ports of a developer's machine are one installation: a port is chosen anew at any start. */
export const isSameInstallation = (recorded: Installation, configured: Installation): boolean =>
  (recorded.environment === configured.environment && recorded.issuer === configured.issuer) ||
  (isOnLoopback(recorded) && isOnLoopback(configured))

/** @throws OtherInstallation */
export function requireSameInstallation(
  recorded: Installation | undefined,
  configured: Installation,
): void {
  if (recorded && !isSameInstallation(recorded, configured)) {
    throw new OtherInstallation(recorded, configured)
  }
}
