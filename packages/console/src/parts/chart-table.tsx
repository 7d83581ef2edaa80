// The values of a chart as a table that is folded below it, one row for each slot of time. With `addressOf` the time of
// a row leads to what happened in it.
/** @jsxImportSource preact */
import { Table, Timestamp } from '@chartside/ui'

export interface ChartTableProps<Slot> {
  readonly title: string
  readonly slots: readonly Slot[]
  readonly columns: readonly {
    readonly label: string
    readonly render: (slot: Slot) => string
  }[]
  readonly addressOf?: (at: number) => string
}

export function ChartTable<Slot extends { readonly at: string }>({
  title,
  slots,
  columns,
  addressOf,
}: ChartTableProps<Slot>) {
  return (
    <details>
      <summary>{title} as a table</summary>
      <Table
        caption={title}
        isCaptionHidden
        rows={slots}
        rowId={({ at }) => at}
        columns={[
          {
            id: 'at',
            label: 'From',
            render: ({ at }) => {
              const time = <Timestamp at={Date.parse(at)} now={Date.now()} />
              return addressOf ? <a href={addressOf(Date.parse(at))}>{time}</a> : time
            },
          },
          ...columns.map((column) => ({ id: column.label, isNumber: true, ...column })),
        ]}
      />
    </details>
  )
}
