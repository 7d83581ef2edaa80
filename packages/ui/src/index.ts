// The public surface of the parts: pages import from here, and the sheet from ./styles.css. It only
// gathers names.
export { AppIcon } from './parts/app-icon.tsx'
export { Button, type ButtonProps, IconButton } from './parts/button.tsx'
export { CodeBlock, Diff } from './parts/code-block.tsx'
export { CopyButton } from './parts/copy-button.tsx'
export { ConfirmDialog, Dialog } from './parts/dialog.tsx'
export { type FaultKeys, FaultReport } from './parts/fault-report.tsx'
export { SelectField, TextField } from './parts/field.tsx'
export { Icon } from './parts/icon.tsx'
export { Popover } from './parts/layer.tsx'
export { MatchCode } from './parts/match-code.tsx'
export { Menu, type MenuItem } from './parts/menu.tsx'
export { NoticeStrip } from './parts/notice-strip.tsx'
export { SecretField } from './parts/secret-field.tsx'
export { Pill, StateBadge } from './parts/state-badge.tsx'
export { StatePage, type SupportFact, SupportFold } from './parts/state-page.tsx'
export { type Tab, TabStrip } from './parts/tab-strip.tsx'
export { type Column, Table, type TableProps } from './parts/table.tsx'
export { Duration, Timestamp, TimeZone } from './parts/times.tsx'
export { type Toast, ToastList } from './parts/toast.tsx'
export { type Evidence, EvidenceList, StepStrip, VerdictCard } from './parts/verdict.tsx'
export { type Announcement, EmptyState, LiveRegion, Skeleton } from './parts/waiting.tsx'
export { Waterfall } from './parts/waterfall.tsx'
export { type DiffLine, diffLines } from './rules/diff-lines.ts'
export { OUTCOME_LOOKS } from './rules/fault-words.ts'
export { ICON_PATHS, type IconName } from './rules/icon-paths.ts'
export { listSpans, PARTY_NAMES } from './rules/launch-spans.ts'
export { redact, redactText } from './rules/redact.ts'
export type { Party, Span } from './rules/spans.ts'
export { describeState, STATES, type StateName, type Tone } from './rules/states.ts'
export {
  formatClock,
  formatCount,
  formatCountdown,
  formatDate,
  formatDuration,
  formatMoment,
  formatTime,
  formatUtc,
} from './rules/times.ts'
