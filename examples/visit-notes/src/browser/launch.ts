// The launch page: reads launch_id, keeps a CSRF value, sends the frame to authorize. It calls
// nothing and loads nothing else; the code arrives on the callback page. Spec §2.1, §4.1.
import { showError } from './error-view.ts'
import { beginState } from './state.ts'

const launchId = new URLSearchParams(location.search).get('launch_id')
if (launchId) goToAuthorize(launchId)
else {
  showError({
    error: 'missing_launch_id',
    cause: 'The Launch URL was opened without a launch_id.',
    fix: 'Open the app from the panel beside the chart, which adds one for every launch.',
  })
}

function goToAuthorize(launch: string): void {
  const { clientId = '', authorizationEndpoint = '', redirectUri = '' } = document.body.dataset
  try {
    const authorize = new URL(authorizationEndpoint)
    authorize.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      launch,
      scope: 'launch openid profile',
      redirect_uri: redirectUri,
      state: beginState(launch, sessionStorage),
    }).toString()
    location.replace(authorize)
  } catch (error) {
    showError({
      error: 'launch_failed',
      cause: error instanceof Error ? error.message : 'The browser refused to go on.',
      fix: 'Allow this site to keep data for the tab (sessionStorage), then launch the app again.',
    })
  }
}
