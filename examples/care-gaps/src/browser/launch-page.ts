// The script of the Launch URL, which only redirects to authorize. It carries nothing of Care Gaps: a
// provider waits for it on every launch. Spec §2.2.
import { beginForTokenEndpoint, runLaunchPage } from '@chartside/app-kit/page'

runLaunchPage(beginForTokenEndpoint)
