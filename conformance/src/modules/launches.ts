// Modules on the EHR launch: what the SMART discovery document claims, and how authorize treats the
// launch parameter. SMART App Launch 2.2; protocol 2.1, 4.1 and 8 (docs/inside/spec/protocol.md).
import { expectAuthorizeError } from '../expectations.ts'
import { authorize, exchange, obtainCode, obtainTokens, receiveTokens } from '../flow.ts'
import { decodeIdToken } from '../id-token.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const LAUNCH = 'How authorize looks up the launch.'
const SMART = 'The document at <issuer>/.well-known/smart-configuration.'

async function fetchSmartConfiguration(t: ModuleContext) {
  const answer = await t.send(`${t.target.issuer}/.well-known/smart-configuration`)
  const isThere = answer.status === 200 && answer.json !== undefined
  t.check(isThere, 'smart-configuration answers 200 with JSON', describeAnswer(answer))
  return answer.json ?? {}
}

const capabilitiesOf = (document: Readonly<Record<string, unknown>>): readonly string[] =>
  Array.isArray(document.capabilities) ? document.capabilities : []

/** The errors that authorize may name for a launch that it does not serve. */
const REFUSALS = ['access_denied', 'invalid_request']

const launchModule = (
  id: string,
  title: string,
  launch: (t: ModuleContext) => Promise<string | undefined>,
): ConformanceModule => ({
  id,
  title,
  source: 'Protocol 4.1 and 8; security L01',
  where: LAUNCH,
  only: 'chartside',
  run: async (t) => {
    const attempt = await authorize(t, { launch: await launch(t) })
    expectAuthorizeError(t, attempt, REFUSALS)
  },
})

export const LAUNCH_MODULES: readonly ConformanceModule[] = [
  {
    id: 'smart-configuration',
    title: 'the SMART discovery document has what SMART requires',
    source: 'SMART App Launch 2.2, conformance',
    where: SMART,
    only: 'chartside',
    run: async (t) => {
      const document = await fetchSmartConfiguration(t)
      const names = ['issuer', 'jwks_uri', 'authorization_endpoint', 'token_endpoint']
      for (const name of names) t.equal(document[name], t.metadata[name], name)
      const lists = ['grant_types_supported', 'code_challenge_methods_supported', 'capabilities']
      for (const name of lists) {
        t.check(Array.isArray(document[name]), `${name} is a list`, JSON.stringify(document[name]))
      }
      const methods = document.code_challenge_methods_supported
      const isRight =
        Array.isArray(methods) && methods.includes('S256') && !methods.includes('plain')
      t.check(isRight, 'the challenge methods are S256 without plain', JSON.stringify(methods))
    },
  },
  {
    id: 'smart-launch-capability',
    title: 'launch-ehr is claimed only when the Launch URL has iss and launch',
    source: 'SMART App Launch 2.2, EHR launch; RFC 9700, 2.6',
    where: `${SMART} Its capabilities.`,
    only: 'chartside',
    run: async (t) => {
      const capabilities = capabilitiesOf(await fetchSmartConfiguration(t))
      const smart = t.target.otherClient ?? t.skip('There is no SMART app.')
      const { launchUrl } = await (await t.agent()).prepare(smart)
      const names = ['iss', 'launch'].filter((name) =>
        new URL(`${launchUrl}`).searchParams.has(name),
      )
      const isTrue = !capabilities.includes('launch-ehr') || names.length === 2
      t.check(
        isTrue,
        'the capability launch-ehr is true',
        'the Launch URL has neither iss nor launch',
      )
    },
  },
  {
    id: 'smart-capabilities',
    title: 'each other capability is one that the service serves',
    source: 'SMART App Launch 2.2, capabilities; security D05',
    where: `${SMART} Its capabilities.`,
    only: 'chartside',
    run: async (t) => {
      const capabilities = capabilitiesOf(await fetchSmartConfiguration(t))
      const smart = t.target.otherClient ?? t.skip('There is no SMART app.')
      const { idToken, answer } = await obtainTokens(t, {}, { client: smart })
      const { claims } = decodeIdToken(t, idToken)
      const served: Readonly<Record<string, boolean>> = {
        'launch-ehr': true,
        'authorize-post': true,
        'client-confidential-symmetric': true,
        'sso-openid-connect': typeof claims.sub === 'string',
        'context-banner': typeof answer.json?.need_patient_banner === 'boolean',
        'context-ehr-patient': answer.json?.patient !== undefined,
        'context-ehr-encounter': answer.json?.encounter !== undefined,
      }
      const untrue = capabilities.filter((name) => !served[name])
      t.check(untrue.length === 0, 'each capability is served', `not served: ${untrue.join(', ')}`)
      if (!capabilities.includes('sso-openid-connect')) return
      const hasUser = t.metadata.scopes_supported?.includes('fhirUser') === true
      t.advise(hasUser, 'sso-openid-connect comes with the scope fhirUser', 'it is not listed')
    },
  },
  {
    id: 'launch-context-in-id-token',
    title: 'the ID token names the launch and its practice',
    source: 'Decisions 2, ID token',
    where: 'The claims of ID tokens.',
    only: 'chartside',
    run: async (t) => {
      const { grant, idToken } = await obtainTokens(t)
      const { claims } = decodeIdToken(t, idToken)
      t.equal(claims.launch_id, grant.parameters.get('launch'), 'launch_id')
      for (const name of ['sid', 'account', 'ehr_type', 'device_id', 'jti']) {
        t.check(claims[name] !== undefined, `the ID token has ${name}`, 'it does not')
      }
    },
  },
  launchModule('launch-missing', 'a request without launch is refused', async () => undefined),
  launchModule(
    'launch-unknown',
    'an unknown launch is refused',
    async () => `lnch_${'A'.repeat(43)}`,
  ),
  launchModule('launch-of-another-app', 'the launch of another app is refused', async (t) => {
    const other = t.target.otherClient ?? t.skip('There is no second client.')
    return (await (await t.agent()).prepare(other)).parameters.launch
  }),
  {
    id: 'launch-scope-required',
    title: 'a request without the scope launch is refused',
    source: 'Protocol 4.1; security A11',
    where: 'How authorize reads scope.',
    only: 'chartside',
    run: async (t) => {
      for (const scope of ['openid', 'launch', undefined]) {
        expectAuthorizeError(t, await authorize(t, { scope }), ['invalid_scope'])
      }
    },
  },
  {
    id: 'launch-yields-tokens-once',
    title: 'a launch that has yielded tokens is refused',
    source: 'Decisions 2; security L02',
    where: LAUNCH,
    only: 'chartside',
    run: async (t) => {
      const preparation = await (await t.agent()).prepare(t.target.client)
      await obtainTokens(t, {}, { preparation })
      expectAuthorizeError(t, await authorize(t, {}, { preparation }), ['access_denied'])
    },
  },
  {
    id: 'launch-newest-code',
    title: 'a second authorize of a launch ends the earlier code',
    source: 'Decisions 2; security L02',
    where: 'What authorize stores with the launch.',
    only: 'chartside',
    run: async (t) => {
      const preparation = await (await t.agent()).prepare(t.target.client)
      const earlier = await obtainCode(t, {}, { preparation })
      const newest = await obtainCode(t, {}, { preparation })
      const refused = await exchange(t, earlier)
      t.equal(refused.json?.error, 'invalid_grant', 'the error of the earlier code')
      receiveTokens(t, newest, await exchange(t, newest))
    },
  },
  {
    id: 'oidcc-server-rotate-keys',
    title: 'a new key signs after a rotation',
    source: 'OpenID Connect Core, 10.1.1; Comprehensive OP plan',
    where: 'docs/operate/keys.md',
    run: async (t) => {
      t.skip('Only an operator can rotate keys, on the command line of the service.')
    },
  },
]
