// The routes of accounts: who may call each, its schemas and its handler. routes.ts puts them into the
// table.

import { LIST_QUERY } from '../http/input/pagination.ts'
import { personRoute } from '../route-builders.ts'
import { ACCOUNT, ACCOUNT_BODY, ACCOUNT_PATCH, ACCOUNTS, ACCOUNTS_QUERY } from './account-schema.ts'
import {
  createAccount,
  listAccountsOf,
  patchAccount,
  removeAccount,
  showAccount,
} from './accounts-http.ts'
import { PROBLEM_REPORT, PROBLEM_REPORT_BODY, PROBLEM_REPORTS } from './problem-report-schema.ts'
import { listProblemReportsOf, sendProblemReport } from './problem-reports-http.ts'

export const ACCOUNT_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts',
    operation: 'listAccounts',
    summary: 'List the accounts that you see.',
    permission: 'read',
    resource: 'account',
    query: ACCOUNTS_QUERY,
    answers: { 200: ACCOUNTS },
    handle: listAccountsOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts',
    operation: 'createAccount',
    summary: 'Create an account.',
    permission: 'platform',
    resource: 'account',
    body: ACCOUNT_BODY,
    answers: { 201: ACCOUNT },
    errors: ['conflict'],
    handle: createAccount,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id',
    operation: 'showAccount',
    summary: 'Show an account.',
    permission: 'read',
    resource: 'account',
    answers: { 200: ACCOUNT },
    handle: showAccount,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/accounts/:id',
    operation: 'patchAccount',
    summary: 'Change the names or the collection of an account.',
    permission: 'run',
    resource: 'account',
    recentAuth: { requireSecondFactor: false, joinByDomain: 'any', collection: 'any' },
    body: ACCOUNT_PATCH,
    answers: { 200: ACCOUNT },
    errors: ['precondition_failed', 'conflict'],
    handle: patchAccount,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id',
    operation: 'removeAccount',
    summary: 'Delete an account and end its sessions and launches.',
    permission: 'run',
    resource: 'account',
    answers: { 204: 'Deleted' },
    errors: ['precondition_failed', 'conflict'],
    handle: removeAccount,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/problem-reports',
    operation: 'sendProblemReport',
    summary: 'Report a problem to the administrators of your account.',
    permission: 'read',
    resource: 'account',
    body: PROBLEM_REPORT_BODY,
    answers: { 201: PROBLEM_REPORT },
    errors: ['rate_limited'],
    handle: sendProblemReport,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/problem-reports',
    operation: 'listProblemReports',
    summary: 'List the problems that members reported, newest first.',
    permission: 'run',
    resource: 'account',
    query: LIST_QUERY,
    answers: { 200: PROBLEM_REPORTS },
    handle: listProblemReportsOf,
  }),
]
