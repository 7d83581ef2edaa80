// Owns the table of settings: variable, default, help text and parser of each. Pure; config.ts applies
// the table to an environment. Contract §7.
import { LIFETIMES, MAXIMA } from './bound-settings.ts'
import { LISTENER_SETTINGS } from './listener-settings.ts'
import type { Setting } from './setting.ts'
import {
  integer,
  oneOf,
  type Parsed,
  parseBaseUrl,
  parseEmail,
  parseIssuer,
  parseMasterKey,
  parseNetworks,
  parseOrigins,
  parseProxies,
  parseRegions,
  parseSmtpUrl,
  share,
  text,
} from './setting-parsers.ts'

export type EnvironmentName = 'development' | 'staging' | 'production'

export const SETTINGS = {
  environment: {
    variable: 'CHARTSIDE_ENVIRONMENT',
    fallback: 'development',
    help: 'development, staging or production.',
    parse: oneOf('development', 'staging', 'production'),
  },
  baseUrl: {
    variable: 'CHARTSIDE_BASE_URL',
    fallback: '',
    help: 'Public address of the service. Default: http://localhost:<port>.',
    parse: parseBaseUrl,
  },
  issuerUrl: {
    variable: 'CHARTSIDE_ISSUER_URL',
    fallback: '',
    help: 'Issuer of ID tokens. Default: <base URL>/app-auth.',
    parse: parseBaseUrl,
  },
  docs: {
    variable: 'CHARTSIDE_DOCS',
    fallback: '',
    help: 'on or off: whether the service serves its documentation at /docs. Default: off in production, on elsewhere.',
    parse: (text) => (text === '' ? { value: text } : oneOf('on', 'off')(text)),
  },
  ...LISTENER_SETTINGS,
  requestLog: {
    variable: 'CHARTSIDE_REQUEST_LOG',
    fallback: 'off',
    help: 'on writes a line for each request: method, route, status, milliseconds, trace id.',
    parse: oneOf('on', 'off'),
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    help: 'Address of an OpenTelemetry collector (OTLP over HTTP); switches traces on.',
    parse: parseBaseUrl,
  },
  tracesShare: {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    help: 'Share of the traces that is sent, from 0 to 1; a node sends at most 100 requests a second.',
    parse: share,
  },
  dataDir: {
    variable: 'CHARTSIDE_DATA_DIR',
    fallback: '.chartside',
    help: 'Directory for the embedded database and, in development, the master key.',
    parse: text,
  },
  databaseUrl: {
    variable: 'CHARTSIDE_DATABASE_URL',
    fallback: '',
    help: 'file:<path> or postgres://user:password@host[,host]/database?sslmode=verify-full. Default: file:<data dir>/chartside.db.',
    secret: true,
    parse: text,
  },
  databaseConnections: {
    variable: 'CHARTSIDE_DATABASE_CONNECTIONS',
    fallback: '10',
    help: 'Connections to PostgreSQL that this node, or each worker, opens at most.',
    parse: integer(2, 200),
  },
  masterKey: {
    variable: 'CHARTSIDE_MASTER_KEY',
    fallback: '',
    help: '32 bytes in base64 that seal private keys at rest. Development generates one in the data directory.',
    secret: true,
    parse: parseMasterKey,
  },
  previousMasterKey: {
    variable: 'CHARTSIDE_PREVIOUS_MASTER_KEY',
    fallback: '',
    help: 'The previous master key, during a change of the master key (docs/operate/keys.md).',
    secret: true,
    parse: parseMasterKey,
  },
  keyRotationDays: {
    variable: 'CHARTSIDE_KEY_ROTATION_DAYS',
    fallback: '90',
    help: 'Days between rotations of the signing key; 0 switches automatic rotation off (chartside keys rotate).',
    parse: integer(0, 3650),
  },
  keyPrepublishSeconds: {
    variable: 'CHARTSIDE_KEY_PREPUBLISH_SECONDS',
    fallback: '86400',
    help: 'Minimum time between publishing a key in the key set and signing with it, in seconds; 60 or more outside of development. Caches may keep the key set for half of it, at most 300.',
    parse: integer(10, 2_592_000),
  },
  drainSeconds: {
    variable: 'CHARTSIDE_DRAIN_SECONDS',
    fallback: '10',
    help: 'After SIGTERM: how long ready answers 503 while the listener still serves, so that balancers notice. Ctrl-C does not wait.',
    parse: integer(0, 600),
  },
  maxClockOffsetMs: {
    variable: 'CHARTSIDE_MAX_CLOCK_OFFSET_MS',
    fallback: '2000',
    help: 'A node whose clock differs from the database by more milliseconds is not ready and deletes nothing.',
    parse: integer(100, 3_600_000),
  },
  retentionHours: {
    variable: 'CHARTSIDE_RETENTION_HOURS',
    fallback: '168',
    help: 'Hours that launches, EHR sessions and sign-ins are kept for their timelines, counted from their creation.',
    parse: integer(48, 87_600),
  },
  adminEmail: {
    variable: 'CHARTSIDE_ADMIN_EMAIL',
    fallback: '',
    help: 'E-mail address of the first administrator. In production needed at the first start only.',
    parse: parseEmail,
  },
  adminPassword: {
    variable: 'CHARTSIDE_ADMIN_PASSWORD',
    fallback: '',
    help: 'Password of the first administrator, 12 characters or more. In production needed at the first start only; elsewhere the service generates one and prints it once.',
    secret: true,
    parse: text,
  },
  smtpUrl: {
    variable: 'CHARTSIDE_SMTP_URL',
    fallback: '',
    help: 'Mail server for invitations: smtps://user:password@host, or smtp:// (STARTTLS is required, except on loopback).',
    secret: true,
    parse: parseSmtpUrl,
  },
  mailFrom: {
    variable: 'CHARTSIDE_MAIL_FROM',
    fallback: '',
    help: 'Sender of invitation mails, such as Chartside <apps@example.org>.',
    parse: text,
  },
  hostOrigins: {
    variable: 'CHARTSIDE_HOST_ORIGINS',
    fallback: '',
    help: 'Comma-separated exact origins of the hosts that embed apps: browser extensions and the sandbox page.',
    parse: parseOrigins,
  },
  trustedProxies: {
    variable: 'CHARTSIDE_TRUSTED_PROXIES',
    fallback: '',
    help: 'Comma-separated addresses and ranges of the proxies whose X-Forwarded-For is trusted; also the words loopback and private.',
    parse: parseProxies,
  },
  allowedRegions: {
    variable: 'CHARTSIDE_ALLOWED_REGIONS',
    fallback: 'US',
    help: 'Comma-separated ISO 3166 codes of the countries whose servers may call; * switches the check off.',
    parse: parseRegions,
  },
  directoryRegions: {
    variable: 'CHARTSIDE_DIRECTORY_REGIONS',
    fallback: '*',
    help: 'Comma-separated ISO 3166 codes of the countries from which directories may call /scim, and identity providers /auth/revocation; * is everywhere.',
    parse: parseRegions,
  },
  allowedNetworks: {
    variable: 'CHARTSIDE_ALLOWED_NETWORKS',
    fallback: '',
    help: "Comma-separated addresses and ranges of the platform's own networks, whose callers pass the check of regions; also the words loopback and private. In production private ranges only.",
    parse: parseNetworks,
  },
  regionDatabase: {
    variable: 'CHARTSIDE_REGION_DATABASE',
    fallback: '',
    help: 'Path of an MMDB file of countries; the service loads a new file within a minute. Default: the file of the package.',
    parse: text,
  },
  passwordSignIn: {
    variable: 'CHARTSIDE_PASSWORD_SIGN_IN',
    fallback: 'on',
    help: 'on or off: whether users can sign in with a password, on the page or by POST /auth/sign-in.',
    parse: oneOf('on', 'off'),
  },
  secondFactor: {
    variable: 'CHARTSIDE_SECOND_FACTOR',
    fallback: 'optional',
    help: 'optional, administrators or required: of whom a password sign-in takes a second factor. An account can require it of its members.',
    parse: oneOf('optional', 'administrators', 'required'),
  },
  oidcIssuer: {
    variable: 'CHARTSIDE_OIDC_ISSUER',
    fallback: '',
    help: 'Issuer of the OpenID Connect provider for sign-in (docs/use/sign-in.md).',
    parse: parseIssuer,
  },
  oidcClientId: {
    variable: 'CHARTSIDE_OIDC_CLIENT_ID',
    fallback: '',
    help: 'Client ID of Chartside at the provider. Its redirect URI is <base URL>/auth/callback.',
    parse: text,
  },
  oidcClientSecret: {
    variable: 'CHARTSIDE_OIDC_CLIENT_SECRET',
    fallback: '',
    help: 'Client secret of Chartside at the provider.',
    secret: true,
    parse: text,
  },
  oidcName: {
    variable: 'CHARTSIDE_OIDC_NAME',
    fallback: 'your organisation',
    help: 'Display name of the provider; the button says “Sign in with …”.',
    parse: text,
  },
  logLevel: {
    variable: 'CHARTSIDE_LOG_LEVEL',
    fallback: 'info',
    help: 'debug (every step), info (one line per completed launch), warn, error or silent.',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  ...LIFETIMES,
  ...MAXIMA,
} satisfies Record<string, Setting<unknown>>

type ValueOf<S> = S extends { parse: (text: string) => infer R }
  ? Extract<R, { value: unknown }>['value']
  : never

export type Settings = {
  -readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]>
}

/** Reads one variable, or its fallback, through its own parser. */
export function readSetting(setting: Setting<unknown>, value: string | undefined): Parsed<unknown> {
  return setting.parse(value === undefined || value === '' ? setting.fallback : value)
}
