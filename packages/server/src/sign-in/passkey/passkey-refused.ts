// The one refusal of a passkey, whether it is unknown, its signature is wrong or its challenge was for
// another page: the reply does not tell which.
import { ApiError } from '../../kernel/errors.ts'

export const passkeyRefused = () =>
  new ApiError(
    'sign_in_failed',
    'The passkey is not known here, or its answer was not for this page. Open the page again.',
  )
