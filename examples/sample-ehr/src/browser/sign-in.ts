// The sign-in card: practice, provider, EHR kind, password. Keeps the choice in the address and
// passes it on at submit. Never calls the service itself.
import type { PageConfig } from '../sandbox-page.ts'
import { buildQuery } from './address.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { byId, el } from './elements.ts'
import type { SignInChoice } from './service.ts'

export interface SignInCard {
  /** Shows why signing in failed; the card can be used again. */
  showProblem(message: string): void
  /** Enables the card for the next sign-in. */
  reset(): void
}

export function startSignIn(
  config: PageConfig,
  onSubmit: (choice: SignInChoice) => void,
): SignInCard {
  const form = byId('sign-in', HTMLFormElement)
  const practice = field(form, 'practice', HTMLSelectElement)
  const provider = field(form, 'provider', HTMLSelectElement)
  const password = field(form, 'password', HTMLInputElement)
  const submit = form.querySelector('button')
  const problem = byId('sign-in-problem', HTMLElement)

  const listProviders = (): void => {
    const found = config.practices.find(({ name }) => name === practice.value)
    const options = (found?.providers ?? []).map(({ name, email }) =>
      el('option', { value: email }, name),
    )
    provider.replaceChildren(...options)
  }

  const address = readAddressBar()
  if (address.practice) select(practice, address.practice)
  listProviders()
  if (address.provider) select(provider, address.provider)

  practice.addEventListener('change', () => {
    listProviders()
    updateAddressBar({ practice: practice.value, provider: provider.value })
  })
  provider.addEventListener('change', () => updateAddressBar({ provider: provider.value }))
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'ehr') return
    location.assign(`/${target.value}${buildQuery({ ...readAddressBar(), chart: null })}`)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.textContent = ''
    submit?.setAttribute('disabled', '')
    updateAddressBar({ practice: practice.value, provider: provider.value })
    onSubmit({
      email: provider.value,
      password: password.value,
      practice: practice.value,
      ehrType: config.ehrType,
    })
  })
  // A browser restores the form of a page from the history, with the kind of another EHR. It does
  // so after this script, and a cached page does not run the script again.
  const kind = form.querySelector(`input[name="ehr"][value="${CSS.escape(config.ehrType)}"]`)
  window.addEventListener('pageshow', () => {
    if (kind instanceof HTMLInputElement) kind.checked = true
  })

  return {
    showProblem: (message) => {
      problem.textContent = message
      submit?.removeAttribute('disabled')
    },
    reset: () => {
      problem.textContent = ''
      submit?.removeAttribute('disabled')
      provider.focus()
    },
  }
}

function field<Kind extends HTMLElement>(
  form: HTMLFormElement,
  name: string,
  kind: new () => Kind,
): Kind {
  const found = form.elements.namedItem(name)
  if (found instanceof kind) return found
  throw new Error(`The sign-in card has no field "${name}".`)
}

function select(list: HTMLSelectElement, value: string): void {
  if ([...list.options].some((option) => option.value === value)) list.value = value
}
