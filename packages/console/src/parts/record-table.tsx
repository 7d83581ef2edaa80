// A table of records: `Table` of @chartside/ui, whose first column links to the record, with J and K
// to move between the rows. Enter opens the row, since a link has the focus.
/** @jsxImportSource preact */
import { Table, type TableProps } from '@chartside/ui'
import { useRef } from 'preact/hooks'
import { useShortcut } from '../keys/shortcuts.ts'

export function RecordTable<Row>(props: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const move = (step: 1 | -1) => {
    const links = [
      ...(frame.current?.querySelectorAll<HTMLElement>('tbody th a, tbody th button') ?? []),
    ]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 ? (step === 1 ? 0 : links.length - 1) : at + step
    links[Math.max(0, Math.min(links.length - 1, next))]?.focus()
  }
  useShortcut({ keys: 'j', label: 'Next row', group: 'On this page' }, () => move(1))
  useShortcut({ keys: 'k', label: 'Row before', group: 'On this page' }, () => move(-1))
  return (
    <div ref={frame}>
      <Table {...props} />
    </div>
  )
}
