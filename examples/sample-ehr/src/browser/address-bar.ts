// The address bar of this page as the place where the sandbox keeps its state: read from it, write to
// it without a navigation. What the state means is in address.ts.
import { type AddressState, buildQuery, readAddress } from './address.ts'

export function readAddressBar(): AddressState {
  return readAddress(location.search)
}

export function updateAddressBar(changes: Partial<AddressState>): void {
  const query = buildQuery({ ...readAddressBar(), ...changes })
  history.replaceState(null, '', `${location.pathname}${query}`)
}
