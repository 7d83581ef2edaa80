// The routes that OAuth clients and pages call: authorize, token and what belongs to them, the
// documents of the issuer, the in-page SDK. Spec §4.1 to §4.4, contract §2 and §5.
import { AUTHORIZE_PARAMETERS } from '../authorize/authorize.ts'
import { authorize } from '../authorize/authorize-http.ts'
import { oauthRoute, type Route } from '../http/route.ts'
import { showJwks, showMetadata, showSmartConfiguration } from '../meta/discovery-http.ts'
import { showSdkManifest, showSdkScript } from '../meta/sdk-http.ts'
import { introspect, PRESENTED_TOKEN, revoke, userinfo } from '../token/access-token-http.ts'
import { TOKEN_PARAMETERS } from '../token/token.ts'
import { exchange } from '../token/token-http.ts'
import { CLAIMS, KEY_SET, SDK_MANIFEST, TOKEN_STATE, TOKENS } from './app-auth-answers.ts'

/** Where OpenID Connect Discovery and RFC 8414 clients look, in both path forms. */
const METADATA_PLACES = [
  ['/app-auth/.well-known/openid-configuration', 'openidConfiguration'],
  ['/.well-known/openid-configuration/app-auth', 'openidConfigurationAtRoot'],
  ['/app-auth/.well-known/oauth-authorization-server', 'authorizationServerMetadata'],
  ['/.well-known/oauth-authorization-server/app-auth', 'authorizationServerMetadataAtRoot'],
] as const

export const APP_AUTH_ROUTES: readonly Route[] = [
  // App authentication (spec §4.1 to §4.4, contract §2)
  oauthRoute({
    methods: ['GET', 'POST'],
    path: '/app-auth/authorize',
    operation: 'authorize',
    regions: 'any',
    summary: 'Send the browser here; it returns to the redirect URI with a code.',
    caller: 'anyone',
    parameters: AUTHORIZE_PARAMETERS,
    answers: { 302: 'Redirect to the app' },
    handle: authorize,
  }),
  oauthRoute({
    methods: ['POST'],
    path: '/app-auth/token',
    operation: 'exchange',
    regions: 'allowed',
    summary: 'Exchange a code for an access token and an ID token.',
    caller: 'client',
    parameters: TOKEN_PARAMETERS,
    answers: { 200: TOKENS },
    handle: exchange,
  }),
  oauthRoute({
    methods: ['GET', 'POST'],
    path: '/app-auth/userinfo',
    operation: 'userinfo',
    regions: 'allowed',
    summary: 'Who an access token is about.',
    caller: 'access_token',
    cors: 'any',
    answers: { 200: CLAIMS },
    handle: userinfo,
  }),
  oauthRoute({
    methods: ['POST'],
    path: '/app-auth/introspect',
    operation: 'introspect',
    regions: 'allowed',
    summary: 'Whether an access token is live, and of which launch.',
    caller: 'client_or_person',
    parameters: PRESENTED_TOKEN,
    cors: 'hosts',
    answers: { 200: TOKEN_STATE },
    handle: introspect,
  }),
  oauthRoute({
    methods: ['POST'],
    path: '/app-auth/revoke',
    operation: 'revoke',
    regions: 'allowed',
    summary: 'End an access token of the calling app.',
    caller: 'client',
    parameters: PRESENTED_TOKEN,
    answers: { 200: 'Revoked, or never known' },
    handle: revoke,
  }),
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/app-auth/.well-known/jwks.json',
    operation: 'jwks',
    regions: 'any',
    summary: 'Public keys that verify ID tokens.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: KEY_SET },
    handle: showJwks,
  }),
  ...METADATA_PLACES.map(([path, operation]) =>
    oauthRoute({
      methods: ['GET'],
      hasHead: true,
      path,
      operation,
      regions: 'any',
      summary: 'Metadata of the issuer.',
      caller: 'anyone',
      cors: 'any',
      answers: { 200: 'Metadata' },
      handle: showMetadata,
    }),
  ),
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/app-auth/.well-known/smart-configuration',
    operation: 'smartConfiguration',
    regions: 'any',
    summary: 'SMART App Launch metadata.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: 'Metadata' },
    handle: showSmartConfiguration,
  }),

  // The in-page SDK (contract §5)
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/sdk/manifest.json',
    operation: 'sdkManifest',
    regions: 'any',
    summary: 'Address and integrity hash of the current SDK script.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: SDK_MANIFEST },
    handle: showSdkManifest,
  }),
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/sdk/:version/:file',
    operation: 'sdkScript',
    regions: 'any',
    summary: 'The SDK script: immutable at the address of the manifest; as `v1`, the newest 1.x.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: 'JavaScript' },
    handle: showSdkScript,
  }),
]
