// The page of the Launch URL, which only redirects to authorize. Spec §2.2.
import { LaunchedApp } from '../launched-app.tsx'

export default function LaunchPage() {
  return <LaunchedApp isLaunch={true} />
}
