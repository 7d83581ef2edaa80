// The page for people who open the app's address in a browser tab: it says where the app opens. Reads
// nothing of a launch.
import manifest from '../chartside.app.json'

export default function StartPage() {
  return (
    <main className="middle">
      <h1>{manifest.name}</h1>
      <p>
        This app opens from the panel beside the chart, where Chartside launches it for the provider
        who is signed in.
      </p>
    </main>
  )
}
