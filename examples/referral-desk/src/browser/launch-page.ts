// The script of the Launch URL, which only redirects to the provider's sign-in. It carries nothing of
// Referral Desk. Spec §5.3 rule 1.
import { beginAtProvider, runLaunchPage } from '@chartside/app-kit/page'

runLaunchPage(beginAtProvider)
