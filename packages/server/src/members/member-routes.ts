// The routes of members: who may call each, its schemas and its handler. routes.ts puts them into the
// table.

import { MAILED_ADDRESS, ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { personRoute } from '../route-builders.ts'
import {
  INVITED_MEMBER,
  MEMBER,
  MEMBER_BODY,
  MEMBER_PATCH,
  MEMBERS,
  MEMBERS_QUERY,
} from './member-schema.ts'
import {
  inviteMember,
  listMembersOf,
  patchMember,
  removeMember,
  resetMember,
} from './members-http.ts'

export const MEMBER_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/members',
    operation: 'listMembers',
    summary: 'List the members and invited users of an account.',
    permission: 'read',
    resource: 'account',
    query: MEMBERS_QUERY,
    answers: { 200: MEMBERS },
    handle: listMembersOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/members',
    operation: 'inviteMember',
    summary: 'Invite a user; the one-time link in the reply is for them.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: MEMBER_BODY,
    answers: { 201: INVITED_MEMBER },
    errors: ['limit_reached', 'conflict'],
    handle: inviteMember,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/accounts/:id/members/:userId',
    operation: 'patchMember',
    summary: 'Change the role of a member.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: MEMBER_PATCH,
    answers: { 200: MEMBER },
    errors: ['precondition_failed', 'conflict'],
    handle: patchMember,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/members/:userId',
    operation: 'removeMember',
    summary: 'Remove a member and end their EHR sessions in the account.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    answers: { 204: 'Removed' },
    errors: ['precondition_failed', 'conflict'],
    handle: removeMember,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/members/:userId/reset',
    operation: 'resetMember',
    summary: 'Issue a one-time link at which a member replaces every login method.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    // It may wait for the mail server.
    admission: 'throttled',
    answers: { 201: ONE_TIME_ADDRESS, 202: MAILED_ADDRESS },
    errors: ['conflict'],
    handle: resetMember,
  }),
]
