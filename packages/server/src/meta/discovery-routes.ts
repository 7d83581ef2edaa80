// The addresses of this room: who may call each, what it takes and gives, and its handler.
// routes.ts puts them into the table.

import { oauthRoute } from '../route-builders.ts'
import { showJwks, showMetadata, showSmartConfiguration } from './discovery-http.ts'
import { KEY_SET, SDK_MANIFEST } from './meta-schema.ts'
import { showSdkManifest, showSdkScript } from './sdk-http.ts'

/** Clients of OpenID Connect Discovery and RFC 8414 look here, in both path forms. */
const METADATA_PLACES = [
  ['/app-auth/.well-known/openid-configuration', 'openidConfiguration'],
  ['/.well-known/openid-configuration/app-auth', 'openidConfigurationAtRoot'],
  ['/app-auth/.well-known/oauth-authorization-server', 'authorizationServerMetadata'],
  ['/.well-known/oauth-authorization-server/app-auth', 'authorizationServerMetadataAtRoot'],
] as const

export const DISCOVERY_ROUTES = [
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/app-auth/.well-known/jwks.json',
    operation: 'jwks',
    admission: 'immediate',
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
      admission: 'immediate',
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
    admission: 'immediate',
    regions: 'any',
    summary: 'SMART App Launch metadata.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: 'Metadata' },
    handle: showSmartConfiguration,
  }),
  oauthRoute({
    methods: ['GET'],
    hasHead: true,
    path: '/sdk/manifest.json',
    operation: 'sdkManifest',
    admission: 'throttled',
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
    admission: 'throttled',
    regions: 'any',
    summary: 'The SDK script: immutable at the address of the manifest; as `v1`, the newest 1.x.',
    caller: 'anyone',
    cors: 'any',
    answers: { 200: 'JavaScript' },
    handle: showSdkScript,
  }),
]
