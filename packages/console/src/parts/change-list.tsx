// What a version changes for providers, one sentence on a line, with a sign and words for what comes and
// what goes.
/** @jsxImportSource preact */
import { Diff } from '@chartside/ui'
import type { ChangeLine } from './version-changes.ts'

export const ChangeList = ({ lines }: { readonly lines: readonly ChangeLine[] }) =>
  lines.length === 0 ? (
    <p class="quiet">Nothing changes for providers.</p>
  ) : (
    <Diff label="Changes" lines={lines} />
  )
