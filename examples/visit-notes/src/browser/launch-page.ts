// The script of the Launch URL, which only redirects to authorize. It carries nothing of Visit Notes: a
// provider waits for it on every launch. Spec §2.2.
import { beginForExchange, runLaunchPage } from '@chartside/app-kit/page'

runLaunchPage(beginForExchange)
