// The worker's launch page: keeps a CSRF value for this launch and goes to authorize. No visible
// content; a failure shows in the console and, as silence, in the host. Spec §2.1, §2.2, §4.1.

const launchId = new URLSearchParams(location.search).get('launch_id')
const { clientId = '', authorizationEndpoint = '', redirectUri = '' } = document.body.dataset

if (!launchId) throw new Error('The Launch URL was opened without a launch_id.')
const csrf = [...crypto.getRandomValues(new Uint8Array(32))]
  .map((byte) => byte.toString(16).padStart(2, '0'))
  .join('')
sessionStorage.setItem(`coding-watch:${launchId}`, csrf)

const authorize = new URL(authorizationEndpoint)
authorize.search = new URLSearchParams({
  response_type: 'code',
  client_id: clientId,
  launch: launchId,
  scope: 'launch openid profile',
  redirect_uri: redirectUri,
  state: `${launchId}:${csrf}`,
}).toString()
location.replace(authorize)
