// The routes of codes and access tokens: who may call each, its schemas, its handler. Holds no
// rule; routes.ts puts them into the route table. Spec §4.2, contract §2.
import { oauthRoute } from '../route-builders.ts'
import { introspect, revoke, userinfo } from './access-token-http.ts'
import { noteExchangePreflight } from './exchange-preflight.ts'
import { exchange } from './token-http.ts'
import { CLAIMS, PRESENTED_TOKEN, TOKEN_PARAMETERS, TOKEN_STATE, TOKENS } from './token-schema.ts'

export const TOKEN_ROUTES = [
  oauthRoute({
    methods: ['POST'],
    path: '/app-auth/token',
    operation: 'exchange',
    admission: 'limited',
    limitedBy: 'clientSecretsOfNetwork',
    regions: 'allowed',
    summary: 'Exchange a code for an access token and an ID token.',
    caller: 'client',
    parameters: TOKEN_PARAMETERS,
    answers: { 200: TOKENS },
    handle: exchange,
    notePreflight: noteExchangePreflight,
  }),
  oauthRoute({
    methods: ['GET', 'POST'],
    path: '/app-auth/userinfo',
    operation: 'userinfo',
    admission: 'limited',
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
    admission: 'limited',
    limitedBy: 'clientSecretsOfNetwork',
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
    admission: 'limited',
    limitedBy: 'clientSecretsOfNetwork',
    regions: 'allowed',
    summary: 'End an access token of the calling app.',
    caller: 'client',
    parameters: PRESENTED_TOKEN,
    answers: { 200: 'Revoked, or never known' },
    handle: revoke,
  }),
]
