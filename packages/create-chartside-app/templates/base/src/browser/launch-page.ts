// The script of the Launch URL's page. It carries nothing of the app: a provider waits for it on every
// launch. Spec §2.2.
import { runLaunchPage } from '@chartside/app-kit/page'
import { begin } from './launch.ts'

runLaunchPage(begin)
