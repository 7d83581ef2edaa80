// The one script of the sign-in pages: shows the passkey form where the browser has passkeys, asks for
// a passkey and sends the answer with the form as any other field. Requests nothing, stores nothing.

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

const form = document.querySelector('form[data-passkey]')
if (form && globalThis.PublicKeyCredential) {
  const { create, ...publicKey } = JSON.parse(form.dataset.passkey)
  const button = form.querySelector('button')
  const problem = form.querySelector('.problem')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    try {
      const options = { publicKey: optionsOf(publicKey) }
      const credential = create
        ? await navigator.credentials.create(options)
        : await navigator.credentials.get(options)
      form.elements.response.value = JSON.stringify(answerOf(credential))
      form.submit()
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
