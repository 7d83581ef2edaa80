// The app pages of the panel's browser tests: a note with the real SDK. It says that it has work that is
// not saved once a person types; one app reports that its exchange was refused, with the words of a
// developer, which must not reach a provider.

export const APP_STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 18px 16px; background: light-dark(#fff, #141b23); color: light-dark(#131e2a, #e8eff6);
    font: 14px/1.5 system-ui, sans-serif; }
  h1 { margin: 0; font-size: 17px; }
  p { margin: 2px 0 16px; color: light-dark(#4f5e6e, #a5b3c2); }
  label { display: grid; gap: 6px; font-weight: 600; }
  textarea { min-height: 150px; padding: 10px 12px; border: 1px solid light-dark(#76859a, #74869a);
    border-radius: 8px; background: transparent; color: inherit; font: inherit; font-weight: 400; }
  button { width: 100%; min-height: 44px; margin-top: 14px; border: 1px solid transparent; border-radius: 8px;
    background: light-dark(#1b6a4a, #7fd3a7); color: light-dark(#fff, #06251a); font: inherit; font-weight: 600; }
`

export const buildNotePage = (appId: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Visit note</title><link rel="stylesheet" href="/app.css">
<script src="/sdk.js"></script></head>
<body data-app="${appId}"><main><h1>Visit note</h1><p>Marigold Testerly, today 9:30 AM</p>
<label>Note <textarea>Home readings average 136/85.</textarea></label><button>Save note</button></main>
<script src="/app.js"></script></body></html>`

export const buildAppScript = () => `
  const launch = new URLSearchParams(location.search).get('launch_id')
  const id = launch.replace('lnch_', '')
  if (document.body.dataset.app === 'app_desk') {
    Chartside.reportLaunchFailure({
      code: 'invalid_client',
      message: 'The token endpoint refused the client secret. Check client_id and client_secret.',
      traceId: 'cf58c034575e6470',
    })
  } else {
    Chartside.initServiceSDK({ accessToken: 'at_secret_of_' + id, idToken: idToken(launch, id) }).then((sdk) => {
      document.body.dataset.ready = 'true'
      document.querySelector('textarea').addEventListener('input', () => sdk.setUnsavedWork(true))
      document.querySelector('button').addEventListener('click', () => sdk.setUnsavedWork(false))
    })
  }
  function idToken(launch, id) {
    const payload = btoa(JSON.stringify({ launch_id: launch })).replace(/=/g, '')
    return 'e30.' + payload + '.signature_of_' + id
  }
`
