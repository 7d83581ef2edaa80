// Finds the invitation behind the form of a one-time address, when its holder may set a way to sign
// in. Shared by the password, the passkey and the provider.
import type { PageCall } from '../http/route.ts'
import type { Service } from '../service.ts'
import { setsMethod } from '../users/invitation.ts'
import type { OpenInvitation } from '../users/invitation-store.ts'
import { invitationOver } from './acceptance.ts'
import { type LoadedErrand, loadErrand } from './errand-http.ts'

/** @throws ApiError used_already */
export async function loadSettable(
  service: Service,
  call: PageCall,
): Promise<LoadedErrand & { readonly invitation: OpenInvitation }> {
  const loaded = await loadErrand(service, { token: call.fields.token ?? '' }, call)
  const { invitation } = loaded
  if (!invitation || !setsMethod(invitation.invitation, invitation.hasMethods)) {
    throw invitationOver()
  }
  return { ...loaded, invitation }
}
