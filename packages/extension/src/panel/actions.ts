// What a person can do in the panel, as data: buttons of a view carry these, and one place runs them.
// Types only.
import type { PanelCommand } from '../messages.ts'

export type PanelAction =
  | { readonly type: 'send'; readonly command: PanelCommand }
  /** Shows an app, and launches it when it has none. */
  | { readonly type: 'openApp'; readonly appId: string }
  /** Asks first when the app has work that is not saved. */
  | { readonly type: 'launchAgain'; readonly appId: string }
  /** Launches an app again that was opened for another chart; asks first as above. */
  | { readonly type: 'openForChart'; readonly appId: string }
  /** Shows an app again that was opened for another chart. */
  | { readonly type: 'goOnWithEarlierChart'; readonly appId: string }
  /** Ends the launch and removes its frame. */
  | { readonly type: 'closeApp'; readonly appId: string }
  /** The person wants to stay signed in. */
  | { readonly type: 'stay' }
  | { readonly type: 'showBackground' }
  | { readonly type: 'fold' }
  /** Opens the diagnostics. Only developers get this action. */
  | { readonly type: 'showDiagnostics' }
  | { readonly type: 'report' }
  /** Asks first when an app has work that is not saved. */
  | { readonly type: 'changePractice' }
  /** Asks first when an app has work that is not saved. */
  | { readonly type: 'signOut' }
  /** Has to run in the press itself: the browser asks the person. */
  | { readonly type: 'allow'; readonly ehrName: string; readonly origins: readonly string[] }

export interface ButtonView {
  readonly label: string
  readonly action: PanelAction
  readonly isPrimary?: boolean
}
