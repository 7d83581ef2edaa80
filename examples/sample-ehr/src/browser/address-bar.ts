// The state of the sandbox in the address bar: reads it, and writes it without a navigation.
// address.ts owns its format.
import { type AddressState, buildQuery, readAddress } from './address.ts'

export function readAddressBar(): AddressState {
  return readAddress(location.search)
}

export function updateAddressBar(changes: Partial<AddressState>): void {
  const query = buildQuery({ ...readAddressBar(), ...changes })
  history.replaceState(null, '', `${location.pathname}${query}`)
}
