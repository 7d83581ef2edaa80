// The routes of the domains of an account: who may call each, its schemas and its handler. routes.ts puts them into
// the table.
import { personRoute } from '../route-builders.ts'
import { DOMAIN, DOMAIN_BODY, DOMAINS } from './domain-schema.ts'
import { checkDomain, createDomain, listDomainsOf, removeDomain } from './domains-http.ts'

export const DOMAIN_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/domains',
    operation: 'listDomains',
    summary: 'List the e-mail domains of an account, with the record that proves each.',
    permission: 'run',
    resource: 'account',
    answers: { 200: DOMAINS },
    handle: listDomainsOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/domains',
    operation: 'createDomain',
    summary: 'Add an e-mail domain; it counts once DNS proves it.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: DOMAIN_BODY,
    answers: { 201: DOMAIN },
    errors: ['limit_reached', 'conflict'],
    handle: createDomain,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/domains/:domainId/check',
    operation: 'checkDomain',
    summary: 'Look at DNS for the record of a domain now.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    admission: 'throttled',
    answers: { 200: DOMAIN },
    errors: ['rate_limited'],
    handle: checkDomain,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/domains/:domainId',
    operation: 'removeDomain',
    summary: 'Remove an e-mail domain; it leads nowhere from then on.',
    permission: 'run',
    resource: 'account',
    answers: { 204: 'Removed' },
    handle: removeDomain,
  }),
]
