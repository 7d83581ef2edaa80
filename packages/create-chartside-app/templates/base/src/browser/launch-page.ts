// The script of the Launch URL's page. It carries nothing of the app: a provider waits for it on every
// launch.
import { beginForExchange, runLaunchPage } from '@chartside/app-kit/page'

runLaunchPage(beginForExchange)
