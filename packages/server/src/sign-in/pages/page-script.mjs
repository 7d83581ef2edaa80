// The one script of the sign-in pages: passkeys where the browser has them, also in the list of the e-mail
// field; a password that can be shown; times by the clock of this device. Every page works without
// it. Requests nothing; remembers only that a passkey was used in this browser, never whose.

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
const toText = (bytes) =>
  bytes === null || bytes === undefined
    ? undefined
    : btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '')

/** Bytes travel as base64url in both directions (WebAuthn Level 3, 5.1.8 and 5.1.9). */
const optionsOf = (json) => ({
  ...json,
  challenge: toBytes(json.challenge),
  ...(json.user ? { user: { ...json.user, id: toBytes(json.user.id) } } : {}),
  ...(json.excludeCredentials
    ? {
        excludeCredentials: json.excludeCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
      }
    : {}),
})

const answerOf = ({ id, rawId, type, response }) => ({
  id,
  rawId: toText(rawId),
  type,
  clientExtensionResults: {},
  response: {
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    userHandle: toText(response.userHandle),
    transports: response.getTransports?.(),
  },
})

const REMEMBERED = 'chartside-passkey'
/** Storage may be switched off. */
const remembered = (value) => {
  try {
    if (value) localStorage.setItem(REMEMBERED, value)
    return localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

function send(form, credential) {
  remembered('used')
  form.elements.response.value = JSON.stringify(answerOf(credential))
  form.submit()
}

/** Offers passkeys in the list that the browser shows at the e-mail field. */
async function offerInField(form, publicKey, signal) {
  const canOffer = await PublicKeyCredential.isConditionalMediationAvailable?.()
  if (!canOffer || !document.querySelector('input[autocomplete~=webauthn]')) return
  try {
    const credential = await navigator.credentials.get({
      publicKey: optionsOf(publicKey),
      mediation: 'conditional',
      signal,
    })
    if (credential) send(form, credential)
  } catch {
    // The button was pressed, or no passkey was chosen.
  }
}

const form = document.querySelector('form[data-passkey]')
if (form && globalThis.PublicKeyCredential) {
  const { create, ...publicKey } = JSON.parse(form.dataset.passkey)
  const button = form.querySelector('button')
  const problem = form.querySelector('.problem')
  const offer = new AbortController()
  form.hidden = false
  // Who used a passkey here before finds it first.
  if (!create && remembered()) document.querySelector('[data-passkey-place]')?.replaceChildren(form)
  for (const or of document.querySelectorAll('.or')) or.hidden = false
  if (!create) offerInField(form, publicKey, offer.signal)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    offer.abort()
    button.disabled = true
    try {
      const options = { publicKey: optionsOf(publicKey) }
      const credential = create
        ? await navigator.credentials.create(options)
        : await navigator.credentials.get(options)
      send(form, credential)
    } catch (error) {
      // The user closed the dialog, or this device has no passkey: the form can be sent again.
      problem.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey of yours already.'
          : 'No passkey was used. Try again, or sign in another way.'
      problem.hidden = false
      button.disabled = false
    }
  })
}

for (const reveal of document.querySelectorAll('button[data-reveal]')) {
  const input = document.getElementById(reveal.dataset.reveal)
  reveal.hidden = false
  reveal.addEventListener('click', () => {
    const isShown = input.type === 'text'
    input.type = isShown ? 'password' : 'text'
    reveal.textContent = isShown ? 'Show' : 'Hide'
    reveal.setAttribute('aria-pressed', String(!isShown))
  })
  // A password that stays shown would be kept with the other fields that were typed.
  input.form.addEventListener('submit', () => {
    input.type = 'password'
  })
}

for (const time of document.querySelectorAll('time[data-clock]')) {
  time.textContent = new Date(time.dateTime).toLocaleTimeString(undefined, {
    hour: 'numeric',
    minute: '2-digit',
  })
}
